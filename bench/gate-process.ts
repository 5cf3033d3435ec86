import { sql } from 'kysely';
import { openDatabase } from '../src/app/database.ts';
import { buildServer, prepare } from '../src/app/server.ts';
import { systemActor } from '../src/modules/access/gate/index.ts';
import { createWritePool } from '../src/platform/db/connect.ts';
import { createLogger } from '../src/platform/log.ts';
import { hashSecret } from '../src/platform/secret.ts';

const token = 'user:bench';

/**
 * A child process of `rows/authentication.ts` with two servers on one database: one authenticates, the other admits
 * everyone. It receives the database's folder as a message.
 */
async function serveBoth(dataDir: string) {
  const log = createLogger('warn');
  const database = await openDatabase({ databaseUrl: undefined, dataDir }, log, {
    exclusive: true,
  });
  const config = {
    baseUrl: 'http://localhost:4242',
    databasePoolMax: 10,
    trustedProxies: [],
    maxConnections: 1_000,
    publicMetrics: false,
    eventRetentionDays: undefined,
    metricsRetentionDays: 30,
    signingKeyFile: undefined,
    sessionTtlHours: 48,
    sessionIdleHours: 12,
    mail: undefined,
    encryptionKeys: [],
    targets: { privateTargets: false, loopback: true },
    deliveryTimeoutMs: 15_000,
    initialTokens: { admin: ['*:*.bench'], client: [], frontend: [] },
    firstAdministrator: { username: 'admin', password: undefined },
  };
  const { connection } = database;
  await prepare(connection, config, log);
  const db = createWritePool(connection, log, 1);
  // A user with a role in each of two hundred projects, half of them private.
  await sql`
    insert into projects (id, name, description, mode, default_stickiness, created_at, updated_at)
    select 'project-' || n, 'Project ' || n, '', case n % 2 when 0 then 'private' else 'open' end,
      'default', now(), now()
    from generate_series(1, 200) n`.execute(db);
  await sql`
    with person as (
      insert into users (kind, name, username, root_role, created_at)
      values ('person', 'Bench', 'bench', 2, now()) returning id
    ), token as (
      insert into personal_tokens (user_id, description, secret_hash, created_at)
      select id, 'bench', ${hashSecret(token)}, now() from person
    )
    insert into project_user_roles (project, user_id, role_id, granted_at)
    select p.id, person.id, 5, now() from person, projects p where p.id <> 'default'`.execute(db);
  await db.destroy();
  const asking = await buildServer({ config, connection, log });
  const open = await buildServer({
    config,
    connection,
    log,
    gate: () => ({
      authenticate: async () => systemActor,
      permit: async () => undefined,
      refuseChanges: async () => undefined,
    }),
  });
  return {
    asking: await asking.listen({ port: 0, host: '127.0.0.1' }),
    open: await open.listen({ port: 0, host: '127.0.0.1' }),
    token,
    stop: async () => {
      await asking.close();
      await open.close();
      await database.close();
    },
  };
}

let stop: (() => Promise<void>) | undefined;

process.on('message', async (message: string) => {
  if (message === 'stop') {
    await stop?.();
    process.exit(0);
  }
  const { stop: end, ...addresses } = await serveBoth(message);
  stop = end;
  process.send?.(addresses);
});
