import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { appOn } from '../../../../test/support/app.ts';
import { closeLater } from '../../../../test/support/closing.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { urlOf } from '../../../../test/support/database-url.ts';
import { fill } from '../../../../test/support/proof-log.ts';
import { prepareInstallation } from '../../../app/installation.ts';
import { transactOn } from '../../../app/transact.ts';
import { migrate } from '../../../migrations/migrate.ts';
import {
  type Connection,
  createGatePool,
  createQueuePool,
  createSearchPool,
  createWritePool,
  inspectServer,
} from '../../../platform/db/connect.ts';
import { createListener } from '../../../platform/db/listen.ts';
import { sessionConfig } from '../../../platform/db/session.ts';
import { createLogger } from '../../../platform/log.ts';
import { verifyLog } from './verify.ts';

const log = createLogger('silent');

const pathOf = async (db: ReturnType<typeof createWritePool>) => {
  closeLater(() => db.destroy());
  const { rows } = await sql<{ path: string }>`
    select current_setting('search_path') as path`.execute(db);
  return rows[0]?.path;
};

test('a view in the schema of the account does not hide a table', async () => {
  const { db, connection } = await testDatabase();
  await fill(transactOn(db), 2);
  await sql`
    do $$ begin
      execute format('create schema %I', current_user);
      execute format('create view %I.events as
        select id, created_at, type, created_by, created_by_user_id, project, environment, feature_name,
          json_build_object(''forged'', true) as data, pre_data, tags, label, summary, ip, request_id,
          actor_seal, subject_keys, subject_seal, hash from public.events', current_user);
    end $$`.execute(db);
  const { ask } = await appOn({ connection, db });
  for (const path of ['search/events?limit=10', 'search/events?query=ber&limit=10', 'events']) {
    const { body, statusCode } = await ask(`GET /api/admin/${path}`);
    expect(statusCode).toBe(200);
    expect(body).toContain('flag-1');
    expect(body).not.toContain('forged');
  }
  const made = await ask('POST /api/admin/projects', { payload: { id: 'behind', name: 'Behind' } });
  expect(made.statusCode).toBe(201);
  expect((await verifyLog(db)).fault).toBeUndefined();
});

test('every connection searches the schema of the tables first and temporary tables last', async () => {
  const { connection } = await testDatabase();
  for (const make of [createWritePool, createGatePool, createSearchPool, createQueuePool]) {
    expect(await pathOf(make(connection, log, 1))).toBe('public,pg_temp');
  }
  expect(sessionConfig(connection).options).toContain('-c search_path=public,pg_temp');
  const listener = await createListener(connection, log);
  closeLater(() => listener.close());
  await listener.keep('create table heard_in as select current_setting($$search_path$$) as path');
  const db = createWritePool(connection, log, 1);
  closeLater(() => db.destroy());
  const { rows } = await sql<{ path: string }>`select path from heard_in`.execute(db);
  expect(rows).toEqual([{ path: 'public,pg_temp' }]);
});

test('options in DATABASE_URL are kept but cannot change the search path', async () => {
  const { connection } = await testDatabase();
  const url = new URL(urlOf(connection));
  url.searchParams.set('options', '-c work_mem=5MB -c search_path=pg_temp,elsewhere');
  const db = createWritePool({ connectionString: url.href }, log, 1);
  expect(await pathOf(db)).toBe('public,pg_temp');
  const { rows } = await sql`
    select current_setting('work_mem') as memory, current_setting('lock_timeout') as patience`.execute(
    createWritePoolOf(url.href),
  );
  expect(rows).toEqual([{ memory: '5MB', patience: '10s' }]);
});

test('database settings that change results do not affect sessions, with or without a pooler', async () => {
  const { connection, db: asOwner, name } = await testDatabase();
  for (const setting of [
    'gin_fuzzy_search_limit = 1',
    'transform_null_equals = on',
    'row_security = on',
    "default_transaction_isolation = 'serializable'",
    "IntervalStyle = 'iso_8601'",
    'extra_float_digits = -15',
    'array_nulls = off',
    'quote_all_identifiers = on',
  ]) {
    await sql.raw(`alter database ${name} set ${setting}`).execute(asOwner);
  }
  for (const given of [connection, { ...connection, settingsByStatement: true } as const]) {
    for (const make of [createWritePool, createGatePool, createSearchPool, createQueuePool]) {
      const db = make(given, log, 1);
      closeLater(() => db.destroy());
      const { rows } = await sql`
        select current_setting('gin_fuzzy_search_limit') || ' ' || current_setting('transform_null_equals') || ' ' ||
          current_setting('row_security') || ' ' || current_setting('transaction_isolation') as settings,
          interval '1 day'::text as day, 0.1::float8::text as tenth, array['null', null]::text as list`.execute(
        db,
      );
      expect(rows).toEqual([
        {
          settings: '0 off off read committed',
          day: '1 day',
          tenth: '0.1',
          list: '{"null",NULL}',
        },
      ]);
    }
  }
});

const createWritePoolOf = (connectionString: string) => {
  const db = createWritePool({ connectionString }, log, 1);
  closeLater(() => db.destroy());
  return db;
};

test('an installation can use another schema, and is not created a second time in the default one', async () => {
  const { connection: server, db: asOwner } = await testDatabase('empty');
  const connection: Connection = { ...server, schema: 'flags' };
  const inspect = (at: Connection) => inspectServer(at, log, 'the database');
  await expect(inspect(connection)).rejects.toThrow('has no schema flags');
  await sql`create schema flags; create schema extensions`.execute(asOwner);
  await sql`create extension pg_trgm schema extensions`.execute(asOwner);
  await inspect(connection);
  const db = createWritePool(connection, log, 2);
  closeLater(() => db.destroy());
  await migrate(db);
  await prepareInstallation(transactOn(db), {
    initialTokens: { admin: ['*:*.an-administrator'], client: [], frontend: [] },
    encryptionKeys: [],
    signingKeyFile: undefined,
    firstAdministrator: { username: 'admin', password: 'a-Long-passw0rd!' },
  });
  const { ask } = await appOn({ connection, db });
  const headers = { authorization: '*:*.an-administrator' };
  const made = await ask('POST /api/admin/projects', {
    headers,
    payload: { id: 'there', name: 'There' },
  });
  expect(made.statusCode).toBe(201);
  expect((await ask('GET /api/admin/search/events', { headers })).body).toContain(
    'project-created',
  );
  const { rows } = await sql<{ schema: string }>`
    select distinct schemaname as schema from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db);
  expect(rows).toEqual([{ schema: 'flags' }]);

  await sql`
    do $$ begin
      execute format('alter role %I in database %I set search_path = flags, public',
        current_user, current_database());
    end $$`.execute(asOwner);
  await inspect(connection);
  await expect(inspect(server)).rejects.toThrow('set DATABASE_SCHEMA=flags');
});
