import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { ownersClass } from '../../src/modules/integrations/delivery/queries/claim.ts';
import { startEmbedded } from '../../src/platform/db/embedded/index.ts';
import { commandLine } from '../support/command-line.ts';
import { dataDir } from '../support/data-dir.ts';
import { testDatabase } from '../support/database.ts';
import { urlOf } from '../support/database-url.ts';
import { startReceiver } from '../support/receiver.ts';
import { runCommand, type ServerProcess, startServer } from '../support/server-process.ts';

type Listed = { id: string; name: string; type: string };

const json = async (answer: Promise<Response>) =>
  (await (await answer).json()) as Record<string, Listed[]>;

const generated = /Admin token \(shown only once\): (\S+)/;
const administrator = /Administrator admin, password \(shown only once\): ([\w-]{20})\n/;

/** An external database for a first start, because creating an embedded one takes seconds. */
const onEmptyDatabase = async () => ({
  DATABASE_URL: urlOf((await testDatabase('empty')).connection),
});

describe('burgee serve', () => {
  test('prints an admin token and a password at the first start only, and both work', async () => {
    const DATA_DIR = dataDir();
    const first = await startServer({ DATA_DIR, INIT_ADMIN_API_TOKENS: '' });
    await expect.poll(first.output).toMatch(generated);
    const [, password = ''] = administrator.exec(first.output()) ?? [];
    const signedIn = await first.ask('POST /auth/simple/login', {
      body: { username: 'admin', password },
    });
    expect([signedIn.status, signedIn.headers.get('set-cookie')]).toEqual([
      200,
      expect.stringMatching(/^burgee-session=\w+; .*HttpOnly/),
    ]);
    const [, token = ''] = generated.exec(first.output()) ?? [];
    expect((await first.ask('GET /api/admin/projects', { token })).status).toBe(200);
    expect(await first.end('SIGTERM')).toBe(0);

    const second = await startServer({ DATA_DIR, INIT_ADMIN_API_TOKENS: '' });
    expect((await second.ask('GET /api/admin/projects', { token })).status).toBe(200);
    expect(second.output()).not.toMatch(/Admin token|Administrator/);
  });

  test('creates the default project, the environments development and production, and their events', async () => {
    const server = await startServer(await onEmptyDatabase());
    const { projects } = await json(server.ask('GET /api/admin/projects'));
    expect(projects?.map(({ id }) => id)).toEqual(['default']);
    const { environments } = await json(server.ask('GET /api/admin/environments'));
    expect(environments?.map(({ name }) => name)).toEqual(['development', 'production']);
    const { events } = await json(server.ask('GET /api/admin/search/events?order=asc'));
    expect(events?.map(({ type }) => type)).toEqual([
      'environment-created',
      'environment-created',
      ...Array(5).fill('context-field-created'),
      'project-created',
      'tag-type-created',
      'setting-updated',
      'user-created',
      'api-token-created',
    ]);
  });

  test('on SIGTERM, finishes open requests, rejects new ones, stops the database and exits with 0', async () => {
    const DATA_DIR = dataDir();
    const server = await startServer({ DATA_DIR });
    const beside = await startEmbedded({
      dataDir: DATA_DIR,
      exclusive: false,
      log: () => undefined,
    });
    const client = new pg.Client(beside.connection);
    client.on('error', () => undefined);
    await client.connect();
    await client.query('begin');
    await client.query(`select * from projects where id = 'default' for update`);

    const slow = server.ask('PUT /api/admin/projects/default', { body: { name: 'Renamed' } });
    const waiting = async () =>
      (await client.query('select from pg_locks where not granted')).rowCount;
    await expect.poll(waiting).toBe(1);
    const ended = server.end('SIGTERM');
    const health = () =>
      server.ask('GET /health').then(
        ({ status }) => status,
        () => 'refused',
      );
    await expect.poll(health).toBe('refused');
    await client.query('commit');
    expect((await slow).status).toBe(200);
    await client.end();
    await beside.stop();
    expect(await ended).toBe(0);

    const again = await startEmbedded({
      dataDir: DATA_DIR,
      exclusive: false,
      log: () => undefined,
    });
    expect(again.adopted).toBe(false);
    const reader = new pg.Client(again.connection);
    await reader.connect();
    expect((await reader.query(`select name from projects where id = 'default'`)).rows).toEqual([
      { name: 'Renamed' },
    ]);
    await reader.end();
    await again.stop();
  });

  test('with SHUTDOWN_DELAY_SECONDS, stays available but not ready after SIGTERM, and Ctrl-C ends it at once', async () => {
    const settings = { ...(await onEmptyDatabase()), SHUTDOWN_DELAY_SECONDS: '600' };
    const server = await startServer(settings);
    expect((await server.ask('GET /ready')).status).toBe(200);
    process.kill(server.pid, 'SIGTERM');
    await expect.poll(async () => (await server.ask('GET /ready')).status).toBe(503);
    const { status, headers } = await server.ask('GET /api/admin/projects');
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    expect(await server.end('SIGINT')).toBe(0);
  });

  test('rejects a second server on its data folder, and commands work beside it', async () => {
    const DATA_DIR = dataDir();
    const server = await startServer({ DATA_DIR });
    const { code, output } = await runCommand(['serve'], { DATA_DIR, PORT: '0' });
    expect(code).toBe(1);
    expect(output).toContain('Burgee is already running on this data folder');
    expect(output).toContain(String(server.pid));
    expect(output).not.toContain('    at ');

    const made = await runCommand(['token', 'create', '--name', 'ci', '--type', 'admin'], {
      DATA_DIR,
    });
    expect(made).toEqual({ code: 0, output: expect.stringMatching(/^\*:\*\.[0-9a-f]{56}\n$/) });
    const token = made.output.trim();
    expect((await server.ask('GET /api/admin/projects', { token })).status).toBe(200);
    expect((await commandLine(['token', 'list'], { DATA_DIR })).output).toContain('ci\tadmin');
    expect((await commandLine(['token', 'revoke', 'ci'], { DATA_DIR })).code).toBe(0);
    await expect
      .poll(async () => (await server.ask('GET /api/admin/projects', { token })).status)
      .toBe(401);
    expect((await server.ask('GET /ready')).status).toBe(200);
  });

  test('starts deliveries on all instances with the first integration, whichever instance stored it', async () => {
    const { connection, db } = await testDatabase();
    const settings = {
      DATABASE_URL: urlOf(connection),
      ALLOW_PRIVATE_TARGETS: 'true',
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    };
    const one = await startServer(settings);
    const other = await startServer(settings);
    const delivering = async () => {
      const { rows } = await sql<{ instances: number }>`
        select count(*)::int as instances from pg_locks
        join pg_database on pg_database.oid = database and datname = current_database()
        where locktype = 'advisory' and classid = ${ownersClass} and granted`.execute(db);
      return rows[0]?.instances;
    };
    const alive = async ({ ask }: ServerProcess) =>
      /^burgee_background_alive (\d)$/m.exec(
        await (await ask('GET /internal-backstage/prometheus')).text(),
      )?.[1];
    expect(await delivering()).toBe(0);
    expect([await alive(one), await alive(other)]).toEqual(['1', '1']);
    const receiver = await startReceiver();
    const made = await one.ask('POST /api/admin/addons', {
      body: {
        provider: 'webhook',
        enabled: true,
        parameters: { url: receiver.url },
        events: ['feature-created'],
      },
    });
    expect(made.status, await made.text()).toBe(201);
    await other.ask('POST /api/admin/projects/default/features', { body: { name: 'delivered' } });
    await expect.poll(() => receiver.received.length).toBe(1);
    await expect.poll(delivering).toBe(2);
    expect([await alive(one), await alive(other)]).toEqual(['1', '1']);
  });

  test('keeps a token valid after its removal from the variable, and says so', async () => {
    const database = await onEmptyDatabase();
    const first = await startServer({ ...database, INIT_ADMIN_API_TOKENS: '*:*.one,*:*.two' });
    await first.end('SIGTERM');
    const second = await startServer({ ...database, INIT_ADMIN_API_TOKENS: '*:*.one' });
    expect((await second.ask('GET /api/admin/projects', { token: '*:*.two' })).status).toBe(200);
    await expect.poll(second.output).toContain('admin-2');
    await expect.poll(second.output).toContain('stay valid until revoked');
    expect(second.output()).not.toContain('*:*.two');
  });

  test('logs the id of every error, and no secret at any level', async () => {
    const server = await startServer({
      ...(await onEmptyDatabase()),
      LOG_LEVEL: 'trace',
      INIT_ADMIN_API_TOKENS: '*:*.canary-admin',
      INIT_CLIENT_API_TOKENS: '*:development.canary-client',
    });
    for (const request of [
      'GET /api/admin/nothing',
      'GET /api/admin/search/events?limit=x',
    ] as const) {
      const answer = await server.ask(request, { token: '*:*.canary-admin' });
      const { id } = (await answer.json()) as { id: string };
      await expect.poll(server.output).toContain(`"errorId":"${id}"`);
    }
    const asked = [
      server.ask('GET /api/admin/projects?token=canary-query', { token: '*:*.canary-admin' }),
      server.ask('POST /api/admin/projects', {
        token: 'Bearer *:*.canary-admin',
        body: { name: 5, password: 'canary-body' },
      }),
      server.ask('GET /api/admin/projects', { token: '*:*.canary-unknown' }),
      server.ask('GET /api/admin/projects', { token: '*:development.canary-client' }),
      server.ask('GET /nowhere?secret=canary-query', { token: '*:*.canary-admin' }),
    ];
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([
      200, 400, 401, 403, 404,
    ]);
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.output()).toContain('"status":401');
    expect(server.output()).not.toContain('canary');
  });
});
