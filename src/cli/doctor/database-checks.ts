import { statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Config } from '../../app/config.ts';
import { connectionsWith } from '../../app/connections.ts';
import type { OpenDatabase } from '../../app/database.ts';
import { readEncryptionKeys } from '../../app/encryption-key.ts';
import { listApplied, listPending } from '../../migrations/migrate.ts';
import { findRetentionDays } from '../../modules/access/settings/index.ts';
import { findPersonForSignIn, verifyPassword } from '../../modules/access/users/index.ts';
import { findRetentionFault, findStructureFault, verifyEnd } from '../../modules/events/index.ts';
import { type Backlog, listBacklogs } from '../../modules/integrations/index.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Db, ReadSnapshot } from '../../platform/db/database.ts';
import { listKeyProofs, missingKeys } from '../../platform/db/encryption-keys.ts';
import { defaultSchema } from '../../platform/db/session.ts';
import { StartError } from '../../platform/start-error.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

export interface DoctorContext {
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly db: Db;
  readonly snapshot: ReadSnapshot;
}

interface ServerRow {
  readonly version: string;
  readonly major: number;
  readonly fsync: string;
  readonly synchronousCommit: string;
  readonly fullPageWrites: string;
  readonly sharedBuffersMb: number;
  readonly maxWalMb: number;
  readonly connections: number;
  readonly isStandby: boolean;
  readonly now: Date;
  readonly sizeMb: number;
}

const newestTested = 18;
const leastSharedBuffersMb = 128;
const leastWalMb = 512;

async function readServer(db: Db): Promise<ServerRow> {
  const { rows } = await sql<ServerRow>`
    select current_setting('server_version') as version,
           current_setting('server_version_num')::int / 10000 as major,
           current_setting('fsync') as fsync, current_setting('synchronous_commit') as "synchronousCommit",
           current_setting('full_page_writes') as "fullPageWrites",
           (select setting::bigint * 8 / 1024 from pg_settings where name = 'shared_buffers') as "sharedBuffersMb",
           (select setting::bigint from pg_settings where name = 'max_wal_size') as "maxWalMb",
           (select count(*) from pg_stat_activity where datname = current_database()) as connections,
           pg_is_in_recovery() as "isStandby", clock_timestamp() as now,
           pg_database_size(current_database()) / 1024 / 1024 as "sizeMb"`.execute(db);
  return rows[0] as ServerRow;
}

function checkSettings(server: ServerRow, { config, database }: DoctorContext): Finding[] {
  const check = 'database settings';
  const needed = connectionsWith(config.databasePoolMax);
  const findings = [
    server.fsync === 'off' &&
      fail(
        check,
        'fsync is off',
        'Set fsync = on; otherwise a machine crash can destroy the data.',
      ),
    server.fullPageWrites === 'off' &&
      warn(
        check,
        'full_page_writes is off',
        'Set it to on, unless the file system guarantees atomic page writes.',
      ),
    server.synchronousCommit === 'off' &&
      warn(
        check,
        'synchronous_commit is off',
        'Set it to on; otherwise a crash can lose the last changes.',
      ),
    server.sharedBuffersMb < leastSharedBuffersMb &&
      warn(
        check,
        `shared_buffers is ${server.sharedBuffersMb} MB`,
        `Set it to ${leastSharedBuffersMb} MB or more.`,
      ),
    server.maxWalMb < leastWalMb &&
      warn(
        check,
        `max_wal_size is ${server.maxWalMb} MB`,
        'Set it to 1 GB or more; otherwise changes wait for checkpoints.',
      ),
    server.isStandby &&
      warn(check, 'the database is a standby', 'Set DATABASE_URL of the servers to the primary.'),
    database.maxConnections < needed &&
      warn(
        check,
        `the account is limited to ${database.maxConnections} connections, but an instance uses up to ${needed}`,
        'Raise max_connections, or lower DATABASE_POOL_MAX.',
      ),
  ].filter((each) => each !== false);
  return findings.length > 0
    ? findings
    : [
        ok(
          check,
          `fsync on, synchronous_commit ${server.synchronousCommit}, shared_buffers ${server.sharedBuffersMb} MB, max_wal_size ${server.maxWalMb} MB, ${server.connections} of ${database.maxConnections} connections in use`,
        ),
      ];
}

const noticeableMs = 2_000;
const harmfulMs = 60_000;

/** The database read its clock at some time between the two of ours: a slow response is no difference. */
export function checkClock(now: number, [asked, answered]: readonly [number, number]): Finding {
  const offMs = Math.max(0, asked - now, now - answered);
  const message = `clock drift between this machine and the database: ${(offMs / 1000).toFixed(1)} s`;
  const advice =
    'Synchronize both with NTP; otherwise sessions, tokens, and scheduled work expire at the wrong time.';
  if (offMs >= harmfulMs) return fail('clock', message, advice);
  return offMs >= noticeableMs ? warn('clock', message, advice) : ok('clock', message);
}

export async function checkServer(patient: DoctorContext): Promise<Finding[]> {
  const asked = Date.now();
  const server = await readServer(patient.db);
  const answered = Date.now();
  const named = `PostgreSQL ${server.version}, ${patient.database.described}, ${server.sizeMb} MB`;
  return [
    server.major > newestTested
      ? warn('database', named, `Burgee is tested with PostgreSQL 14 to ${newestTested}.`)
      : ok('database', named),
    ...checkSettings(server, patient),
    checkClock(server.now.getTime(), [asked, answered]),
  ];
}

/** Returns the state of the schema, and whether its tables can be read. */
export async function checkSchema(db: Db): Promise<{ finding: Finding; isCurrent: boolean }> {
  try {
    const applied = await listApplied(db);
    if (!applied) {
      const finding = warn(
        'schema',
        'the database has no tables',
        'Start the server, or run burgee migrate.',
      );
      return { finding, isCurrent: false };
    }
    const pending = await listPending(db);
    if (pending.length === 0)
      return { finding: ok('schema', `up to date at ${applied.at(-1)}`), isCurrent: true };
    const message = `${pending.length} migrations pending: ${pending.join(', ')}`;
    const advice = 'Make a backup, then start the server or run burgee migrate.';
    return { finding: warn('schema', message, advice), isCurrent: false };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return {
      finding: fail('schema', error.message, 'Install the newer Burgee.'),
      isCurrent: false,
    };
  }
}

const gigabyte = 1024 ** 3;

export async function checkDisk({ dataDir }: Pick<OpenDatabase, 'dataDir'>): Promise<Finding> {
  if (dataDir === undefined) {
    return ok('disk', 'external database: monitor its disk there');
  }
  const { bavail, blocks, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const message = `${(free / gigabyte).toFixed(1)} GB of ${((blocks * bsize) / gigabyte).toFixed(1)} GB free in ${dataDir}`;
  const advice = 'Free some space, or move DATA_DIR. Changes fail while the disk is full.';
  if (free < gigabyte / 4) return fail('disk', message, advice);
  return free < 2 * gigabyte ? warn('disk', message, advice) : ok('disk', message);
}

/** The quick state of the log. The whole chain takes a minute for a million events. */
const checkedEvents = 1000;

export const checkLog = ({ snapshot, database }: DoctorContext): Promise<Finding> =>
  snapshot(async (db) => {
    const advice = 'Run burgee verify, and compare with a backup.';
    const fault = await findStructureFault(db, database.connection.schema ?? defaultSchema);
    if (fault) return fail('event log', fault.message, advice);
    const { lastId, checked, brokenAt } = await verifyEnd(db, checkedEvents);
    if (brokenAt !== undefined) {
      return fail('event log', `event ${brokenAt} was modified after it was recorded`, advice);
    }
    return ok(
      'event log',
      `${lastId} events; the last ${checked} are intact (burgee verify checks all)`,
    );
  });

export const checkRetention = ({ snapshot, config }: DoctorContext): Promise<Finding> =>
  snapshot(async (db) => {
    const check = 'event retention';
    const days = config.eventRetentionDays ?? (await findRetentionDays(db));
    if (days === undefined) return ok(check, 'events are kept forever');
    const fault = await findRetentionFault(db, days, systemClock());
    return fault
      ? fail(
          check,
          `events older than ${days} days can't be removed: ${fault.message}`,
          'Run burgee verify, and compare with a backup and a checkpoint.',
        )
      : ok(check, `events are removed after ${days} days`);
  });

export async function checkKey({ config, database, db }: DoctorContext): Promise<Finding> {
  const check = 'encryption key';
  let keys: readonly Buffer[];
  try {
    keys = await readEncryptionKeys(config.encryptionKeys, database.dataDir);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return fail(check, error.message, 'Follow the message, then run burgee doctor again.');
  }
  const proofs = await listKeyProofs(db);
  const missing = missingKeys(proofs, keys);
  if (missing.length > 0) {
    return fail(
      check,
      `stored secrets are encrypted with a key that is not set (${missing.join(', ')})`,
      'Set ENCRYPTION_KEY to that key. If it is lost, run burgee key reseal --give-up-lost.',
    );
  }
  if (keys.length === 0) {
    return warn(
      check,
      'no key is set',
      "Set ENCRYPTION_KEY (openssl rand -base64 32), or integration secrets can't be stored.",
    );
  }
  return ok(check, proofs.length === 0 ? 'set, not used yet' : 'set, decrypts all stored secrets');
}

const hourSeconds = 3600;

function backlogFinding({
  integration,
  provider,
  pending,
  oldestSeconds,
  givenUp,
}: Backlog): Finding[] {
  const name = `integration ${integration} (${provider})`;
  const advice = `See GET /api/admin/addons/${integration}/deliveries for the reason.`;
  return [
    ...((oldestSeconds ?? 0) > hourSeconds
      ? [
          warn(
            'deliveries',
            `${name}: ${pending} pending, oldest ${Math.floor((oldestSeconds ?? 0) / hourSeconds)} h`,
            `${advice} They are sent only while a server is running.`,
          ),
        ]
      : []),
    ...(givenUp > 0 ? [warn('deliveries', `${name}: ${givenUp} failed permanently`, advice)] : []),
  ];
}

export async function checkDeliveries({ db }: DoctorContext): Promise<Finding[]> {
  const backlogs = await listBacklogs(db);
  const findings = backlogs.flatMap(backlogFinding);
  const pending = backlogs.reduce((sum, each) => sum + each.pending, 0);
  return findings.length > 0
    ? findings
    : [ok('deliveries', `${pending} pending for ${backlogs.length} integrations, none failed`)];
}

/** The password of the first start is in the environment, in scripts and in logs. */
export async function checkPassword({ config, db }: DoctorContext): Promise<Finding[]> {
  const { username, password } = config.firstAdministrator;
  if (password === undefined) return [];
  const person = await findPersonForSignIn(db, username);
  if (!person || !(await verifyPassword(person.passwordHash, password))) return [];
  return [
    warn(
      'first password',
      `${username} still has the password in UNLEASH_DEFAULT_ADMIN_PASSWORD`,
      'Sign in, choose another password, and unset the variable.',
    ),
  ];
}
