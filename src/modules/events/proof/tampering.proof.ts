import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandLine } from '../../../../test/support/command-line.ts';
import { databaseNamed } from '../../../../test/support/database-named.ts';
import { urlOf } from '../../../../test/support/database-url.ts';
import { deceptions } from '../../../../test/support/deceptions.ts';
import { columnsAfterId, eventEdits } from '../../../../test/support/event-edits.ts';
import { fastFolder } from '../../../../test/support/fast-folder.ts';
import {
  addKey,
  asOwner,
  pretendRetention,
  stolenKey,
} from '../../../../test/support/forged-removal.ts';
import { fill, person, userCreated } from '../../../../test/support/proof-log.ts';
import { startSystemPostgres, systemMajors } from '../../../../test/support/system-postgres.ts';
import { prepareInstallation } from '../../../app/installation.ts';
import { transactOn } from '../../../app/transact.ts';
import { migrate } from '../../../migrations/migrate.ts';
import { type Connection, createWritePool } from '../../../platform/db/connect.ts';
import type { Database } from '../../../platform/db/database.ts';
import { startEmbedded } from '../../../platform/db/embedded/index.ts';
import { createLogger } from '../../../platform/log.ts';
import { systemActor } from '../../access/gate/index.ts';
import { record } from '../record/record.ts';
import { contentOf, listStored } from './chain.ts';
import { makeCheckpoint } from './checkpoint.ts';
import type { Checkpoint } from './checkpoint-contract.ts';
import { linkHash } from './hash.ts';
import { listSigningKeys } from './queries.ts';
import { removeOldEvents } from './retention.ts';
import { findSigner, type Signer } from './signing.ts';

/** Tries everything that docs/proof.md says about an attacker with access to the database, on each available PostgreSQL. */

const folder = mkdtempSync(join(tmpdir(), 'burgee-tampering-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type KeyPlace = 'database' | 'file';

interface Target {
  readonly db: Kysely<Database>;
  readonly made: Checkpoint;
  readonly last: number;
  readonly middle: number;
  /** Runs retention as the running server does. */
  readonly retain: (days?: number) => Promise<unknown>;
}

type Codes = number | Readonly<Record<KeyPlace, number>>;

interface Attack {
  readonly code: Codes;
  readonly says?: RegExp;
  readonly do: (target: Target) => Promise<unknown>;
}

const owner = (statements: (target: Target) => readonly RawBuilder<unknown>[]): Attack['do'] => {
  return (target) => asOwner(target.db, statements(target));
};

const edits = {
  ...eventEdits,
  'created_at (BC)': sql`(created_at::text || ' BC')::timestamptz`,
};

/** Changes an event, and recomputes its hash and every later one. */
async function rewrite({ db, middle }: Target): Promise<void> {
  await asOwner(db, [sql`update events set project = 'other' where id = ${middle}`]);
  const events = await listStored(db, { after: middle - 2, limit: 10_000 });
  let previous = events[0]?.hash as Buffer;
  const hashes = events.slice(1).map((event) => {
    previous = linkHash(event.id, previous, contentOf(event));
    return sql`update events set hash = ${previous} where id = ${event.id}`;
  });
  await asOwner(db, hashes);
}

const removeTail = (from: RawBuilder<unknown>) => [
  sql`delete from events where id > ${from}`,
  sql`delete from event_texts where id > ${from}`,
  sql`delete from event_side_texts where id > ${from}`,
  sql`delete from event_days where first_id > ${from}`,
  sql`update event_days set last_id = ${from} where last_id > ${from}`,
];

const moveAnchor = (id: number) => [
  sql`update event_log set anchor_id = ${id}, anchor_hash = (select hash from events where id = ${id})`,
  sql`delete from events where id <= ${id}`,
  sql`delete from event_texts where id <= ${id}`,
  sql`delete from event_side_texts where id <= ${id}`,
  sql`update event_days set first_id = ${id + 1} where first_id <= ${id}`,
];

const attacks: Readonly<Record<string, Attack>> = {
  ...Object.fromEntries(
    Object.entries(edits).map(([column, value]): [string, Attack] => [
      `a changed ${column}`,
      {
        code: 1,
        says: /^Event \d+ .*was altered/,
        do: owner(({ middle }) => [
          sql`update events set ${sql.ref(column.split(' ')[0] as string)} = ${value} where id = ${middle}`,
        ]),
      },
    ]),
  ),
  'no change': { code: 0, do: async () => undefined },
  'a removed first event': {
    code: 1,
    do: owner(() => [sql`delete from events where id = 1`]),
  },
  'a removed event': {
    code: 1,
    do: owner(({ middle }) => [sql`delete from events where id = ${middle}`]),
  },
  'a removed event with renumbered later ones': {
    code: 1,
    do: owner(({ middle }) => [
      sql`delete from events where id = ${middle}`,
      sql`update events set id = -id where id > ${middle}`,
      sql`update events set id = -id - 1 where id < 0`,
    ]),
  },
  'an inserted event': {
    code: 1,
    do: owner(({ middle }) => [
      sql`update events set id = -id where id >= ${middle}`,
      sql`update events set id = -id + 1 where id < 0`,
      sql`insert into events select ${middle}, ${columnsAfterId} from events where id = 3`,
    ]),
  },
  'an event appended without a valid hash': {
    code: 1,
    do: owner(({ last }) => [
      sql`insert into events select ${last + 1}, ${columnsAfterId} from events where id = ${last}`,
    ]),
  },
  'an event before the first': {
    code: 1,
    do: owner(() => [sql`insert into events select 0, ${columnsAfterId} from events where id = 3`]),
  },
  'two swapped events': {
    code: 1,
    do: owner(({ middle }) => [
      sql`update events set id = -1 where id = ${middle}`,
      sql`update events set id = ${middle} where id = ${middle + 1}`,
      sql`update events set id = ${middle + 1} where id = -1`,
    ]),
  },
  'the same data in another encoding': {
    code: 1,
    do: owner(({ middle }) => [
      sql`update events set data = replace(data::text, ',', ', ')::json where id = ${middle}`,
    ]),
  },
  'a duplicate key in the data': {
    code: 1,
    do: owner(({ middle }) => [
      sql`update events set data = replace(data::text, '{', '{"n":77,')::json where id = ${middle}`,
    ]),
  },
  'a user erased without an event': {
    code: 1,
    do: owner(({ middle }) => [
      sql`update events set ip = null, created_by = '[erased]', actor_seal = sha256(actor_seal || convert_to(
        '{"createdBy":' || to_json(created_by) || ',"ip":' || coalesce(to_json(ip)::text, 'null') || '}', 'UTF8'))
        where id = ${middle}`,
    ]),
  },
  'a changed search text': {
    code: 1,
    do: owner(({ middle }) => [sql`update event_texts set search = 'x' where id = ${middle}`]),
  },
  'a missing search text': {
    code: 1,
    do: owner(({ middle }) => [sql`delete from event_texts where id = ${middle}`]),
  },
  'a changed search text of the tags': {
    code: 1,
    do: owner(() => [sql`update event_side_texts set search = 'x' where part = 'tags'`]),
  },
  'a search text without an event': {
    code: 1,
    do: owner(({ last }) => [sql`insert into event_texts values (${last + 9}, 'x')`]),
  },
  'a day that ends too early': {
    code: 1,
    do: owner(() => [sql`update event_days set last_id = last_id - 1`]),
  },
  'a day that begins too late': {
    code: 1,
    do: owner(() => [sql`update event_days set first_id = first_id + 1`]),
  },
  'a day that begins too early': {
    code: 1,
    do: owner(() => [sql`update event_days set first_id = first_id - 1`]),
  },
  'missing days': { code: 1, do: owner(() => [sql`delete from event_days`]) },
  'an anchor before the log': {
    code: 1,
    do: owner(() => [sql`update event_log set anchor_id = 3`]),
  },
  'a changed hash of the anchor': {
    code: 1,
    do: owner(() => [sql`update event_log set anchor_hash = sha256('x')`]),
  },
  'removed oldest events and a moved anchor': {
    code: 1,
    says: /The log begins after event 3/,
    do: owner(() => moveAnchor(3)),
  },
  'removed oldest events and a moved anchor, followed by retention': {
    code: 1,
    says: /The log begins after event 3/,
    do: async (target) => {
      await asOwner(target.db, moveAnchor(3));
      expect(await target.retain(0)).toMatchObject({ kind: 'anchor' });
    },
  },
  'recent events with an old date, followed by retention': {
    code: 1,
    says: /^Event 1 /,
    do: async (target) => {
      const { db, middle } = target;
      await asOwner(db, [
        sql`update events set created_at = '2020-01-01' where id <= ${middle}`,
        sql`update event_days set day = '2020-01-01' where last_id <= ${middle}`,
      ]);
      expect(await target.retain()).toMatchObject({ eventId: 1 });
    },
  },
  'recent events with a BC date, followed by retention': {
    code: 1,
    says: /^Event 1 /,
    do: async (target) => {
      const { db, middle } = target;
      await asOwner(db, [
        sql`update events set created_at = (created_at::text || ' BC')::timestamptz where id <= ${middle}`,
      ]);
      expect(await target.retain()).toMatchObject({ eventId: 1 });
    },
  },
  'a log rewritten from one event on': { code: 1, do: rewrite },
  'removed newest events with everything about them': {
    code: 1,
    says: /removed/,
    do: owner(({ last }) => removeTail(sql`${last - 3}::bigint`)),
  },
  'removed events after the checkpoint': {
    code: 0,
    do: async (target) => {
      await fill(transactOn(target.db), 2);
      await asOwner(target.db, removeTail(sql`${target.last}::bigint`));
    },
  },
  'everything up to the checkpoint removed without a signature': {
    code: 2,
    do: ({ db, made }) => pretendRetention(db, made, undefined),
  },
  'everything up to the checkpoint removed, signed with an added key': {
    code: 2,
    do: async ({ db, made }) => pretendRetention(db, made, await addKey(db)),
  },
  'everything up to the checkpoint removed, signed with the key from the database': {
    code: 2,
    do: async ({ db, made }) => {
      if (made.keyIn === 'database') await pretendRetention(db, made, await stolenKey(db));
      else {
        await expect(stolenKey(db)).rejects.toThrow();
        await pretendRetention(db, made, undefined);
      }
    },
  },
  'a retention that is only in the database': {
    code: 2,
    do: async (target) => {
      await sql`insert into settings (id, value, created_at, updated_at)
        values ('burgee.event-retention', '{"eventDays":1}', now(), now())`.execute(target.db);
      expect(await target.retain(1)).toBe(true);
    },
  },
  'a key that no event records': { code: 1, do: ({ db }) => addKey(db) },
  'a replaced key': {
    code: 1,
    do: owner(() => [sql`update signing_keys set id = '0123456789abcdef'`]),
  },
  'removed keys': { code: 1, do: owner(() => [sql`delete from signing_keys`]) },
  'a retired key': { code: 1, do: owner(() => [sql`update signing_keys set retired_at = now()`]) },
  'a changed label': {
    code: 0,
    do: owner(() => [sql`update events set label = 'x' where id = 3`]),
  },
  'a changed summary': {
    code: 0,
    do: owner(() => [sql`update events set summary = 'x' where id = 3`]),
  },
  'another order of keys, with a matching search text': {
    code: 0,
    do: owner(({ middle }) => [
      sql`update events set data = json_build_object('note', data->'note', 'n', data->'n') where id = ${middle}`,
      sql`update events set data = replace(replace(data::text, ' : ', ':'), ', ', ',')::json where id = ${middle}`,
      sql`update event_texts set search = regexp_replace(search, '^\\{("n":[0-9]+),([^}]*)\\}', '{\\2,\\1}') where id = ${middle}`,
    ]),
  },
  'other array bounds of subject_keys': {
    code: 0,
    do: owner(() => [
      sql`update events set subject_keys = ('[0:' || array_length(subject_keys, 1) - 1 || ']=' || subject_keys::text)::text[]
        where subject_keys is not null`,
    ]),
  },
  'a changed date of a key': {
    code: 0,
    do: owner(() => [sql`update signing_keys set created_at = '2020-01-01'`]),
  },
  'a changed rewrite counter': {
    code: 0,
    do: owner(() => [sql`update event_log set rewrites = 99`]),
  },
  'removed collaborators': { code: 0, do: owner(() => [sql`delete from feature_authors`]) },
  'an index, a default and an unlogged table created by the owner': {
    code: 0,
    do: owner(() => [
      sql`create index slow_report on events (lower(type))`,
      sql`alter table projects alter description set default 'x'`,
      sql`alter table usage_hours set unlogged`,
      sql`alter function append_events(json) cost 7`,
    ]),
  },
};

const log = createLogger('silent');

interface ServerUnderTest {
  readonly name: string;
  readonly start: () => Promise<{ connection: Connection; stop: () => Promise<void> | void }>;
}

const servers: readonly ServerUnderTest[] = [
  {
    name: 'the embedded PostgreSQL',
    // Not the server of the other tests, because some attacks change server settings.
    start: async () => {
      const dataDir = mkdtempSync(join(fastFolder(), 'burgee-tampering-'));
      const settings = { fsync: 'off' };
      const server = await startEmbedded({
        dataDir,
        exclusive: false,
        log: () => undefined,
        settings,
      });
      const stop = async () => {
        await server.stop();
        rmSync(dataDir, { recursive: true, force: true });
      };
      return { connection: server.connection, stop };
    },
  },
  ...systemMajors().map((major) => ({
    name: `PostgreSQL ${major} of this machine`,
    start: async () => startSystemPostgres(major),
  })),
];

const account = `burgee_tampering_${process.pid}`;

describe.each(servers)('$name', ({ start }) => {
  let server: Awaited<ReturnType<ServerUnderTest['start']>>;
  let administrator: pg.Pool;
  const templates = new Map<KeyPlace, { name: string; keyFile: string | undefined }>();
  const files = new Map<KeyPlace, { made: Checkpoint; checkpoint: string; keys: string }>();
  let databases = 0;

  const poolOf = (url: string) => createWritePool({ connectionString: url }, log, 2);

  /** Everything runs as an account that owns the database and is not a superuser. */
  const ownerUrl = (name: string) => {
    const url = new URL(urlOf(databaseNamed(server.connection, name)));
    url.searchParams.set('options', `-c role=${account}`);
    return url.href;
  };

  async function createDatabase(template: string): Promise<string> {
    databases += 1;
    const name = `${account}_${databases}`;
    await administrator.query(`create database ${name} owner ${account} template ${template}`);
    return name;
  }

  async function prepare(keyPlace: KeyPlace): Promise<void> {
    const keyFile = keyPlace === 'file' ? join(folder, `key-${databases}.pem`) : undefined;
    const { privateKey } = generateKeyPairSync('ed25519');
    if (keyFile) writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const name = await createDatabase('template0');
    const db = poolOf(ownerUrl(name));
    await migrate(db);
    // Two days ago, so that a retention of one day has something to remove.
    const before = transactOn(db, () => new Date(Date.now() - 2 * 86_400_000));
    await prepareInstallation(before, {
      initialTokens: { admin: [], client: [], frontend: [] },
      encryptionKeys: [],
      signingKeyFile: keyFile,
      firstAdministrator: { username: 'admin', password: 'a-Long-passw0rd!' },
    });
    await fill(before, 8, person(7, 'Ada'));
    await before(person(8, 'Grace'), async (tx) =>
      record(tx, userCreated({ data: { id: 9, username: 'Joan', email: 'joan@example.org' } })),
    );
    await fill(before, 8, person(7, 'Ada'));
    await fill(transactOn(db), 3, person(7, 'Ada'));
    const signer = (await findSigner(db, keyFile)) as Signer;
    const made = await makeCheckpoint(db, signer, new Date());
    const checkpoint = join(folder, `${name}-checkpoint.json`);
    const keys = join(folder, `${name}-keys.json`);
    writeFileSync(checkpoint, JSON.stringify(made));
    writeFileSync(keys, JSON.stringify({ keys: await listSigningKeys(db) }));
    await db.destroy();
    templates.set(keyPlace, { name, keyFile });
    files.set(keyPlace, { made, checkpoint, keys });
  }

  beforeAll(async () => {
    server = await start();
    administrator = new pg.Pool({ ...server.connection, max: 1 });
    administrator.on('error', () => undefined);
    await administrator.query(`create role ${account}`);
    await prepare('database');
    await prepare('file');
  });

  afterAll(async () => {
    for (let nth = 1; nth <= databases; nth += 1) {
      await administrator.query(`drop database if exists ${account}_${nth} with (force)`);
    }
    await administrator.query(`drop role ${account}`);
    await administrator.end();
    await server.stop();
  });

  /** Tampers with a copy and verifies it with the checkpoint and the keys stored outside of it. */
  async function verifyAfter(
    keyPlace: KeyPlace,
    act: (target: Target, url: string, name: string) => Promise<unknown>,
    days: string | undefined = '30',
  ) {
    const { name: template, keyFile } = templates.get(keyPlace) as {
      name: string;
      keyFile: string;
    };
    const { made, checkpoint, keys } = files.get(keyPlace) as NonNullable<
      ReturnType<typeof files.get>
    >;
    const name = await createDatabase(template);
    const db = poolOf(ownerUrl(name));
    try {
      const target: Target = {
        db,
        made,
        last: made.lastId,
        middle: made.lastId - 8,
        retain: (kept = 30) =>
          transactOn(db)(systemActor, (tx) =>
            removeOldEvents(tx, kept, { signingKeyFile: keyFile }),
          ),
      };
      await act(target, ownerUrl(name), name);
    } finally {
      await db.destroy();
    }
    return commandLine(['verify', '--checkpoint', checkpoint, '--public-key', keys], {
      DATABASE_URL: ownerUrl(name),
      LOG_LEVEL: 'error',
      ...(days !== undefined && { EVENT_RETENTION_DAYS: days }),
    });
  }

  describe.each(['database', 'file'] as const)('with the key in the %s', (keyPlace) => {
    test.each(Object.keys(attacks))(
      'verify exits with the expected code after: %s',
      async (name) => {
        const { code, says = /(?:)/, do: act } = attacks[name] as Attack;
        const days = name.startsWith('a retention that is only in the database') ? undefined : '30';
        const result = await verifyAfter(keyPlace, act, days);
        const expected = typeof code === 'number' ? code : code[keyPlace];
        expect([result.code, result.stderr]).toEqual([expected, expect.stringMatching(says)]);
      },
    );
  });

  const lasting = Object.keys(deceptions).filter((name) => deceptions[name]?.only !== 'session');

  test.each(lasting)('verify detects %s', async (name) => {
    const { by, found, only } = deceptions[name] as (typeof deceptions)[string];
    try {
      const { code, stderr } = await verifyAfter('file', async ({ db }, _url, database) => {
        const url = urlOf(databaseNamed(server.connection, database));
        const acting = only === 'superuser' ? poolOf(url) : db;
        for (const statement of by) await statement.execute(acting);
        if (acting !== db) await acting.destroy();
      });
      expect([code, stderr]).toEqual([1, expect.stringMatching(found)]);
    } finally {
      await administrator.query(`alter role ${account} reset all`);
      await administrator.query('alter role current_user reset all');
    }
  });

  test.each(['zero_damaged_pages = on', 'session_replication_role = replica'])(
    'verify detects that a superuser sets %s for the server',
    async (setting) => {
      await administrator.query(`alter system set ${setting}`);
      await administrator.query('select pg_reload_conf()');
      try {
        // Only later sessions have the setting. The signal may take a moment to arrive.
        await expect
          .poll(async () => (await verifyAfter('file', async () => undefined)).stderr)
          .toMatch(/changed a setting of this session/);
      } finally {
        await administrator.query(`alter system reset ${setting.split(' ')[0]}`);
        await administrator.query('select pg_reload_conf()');
      }
    },
  );
});
