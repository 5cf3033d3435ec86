import { type Kysely, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { body, deceptions } from '../../../../test/support/deceptions.ts';
import { tampered } from '../../../../test/support/proof-log.ts';
import { firstCases } from '../../../../test/support/random-cases.ts';
import type { Database } from '../../../platform/db/database.ts';
import { findStructureFault, lineOf, listSchemaObjects } from './structure.ts';

let db: Kysely<Database>;
beforeAll(async () => {
  ({ db } = await testDatabase());
});

test('the expected structure matches the migrations (update it with -u)', async () => {
  const parts = await db.transaction().execute((tx) => listSchemaObjects(tx, 'public'));
  const file = `/** Written by src/modules/events/proof/structure.test.ts: after a migration, run that test with -u and look at the difference. */
export const expectedStructure = \`
${parts.map(lineOf).join('\n')}
\`;
`;
  expect(file).not.toMatch(/\\|\$\{/);
  await expect(file).toMatchFileSnapshot('expected-structure.ts');
  expect(await tampered(db, [], (tx) => findStructureFault(tx, 'public'))).toBeUndefined();
});

test('the functions that write and guard the log search only one schema', async () => {
  const { rows } = await sql<{ config: string[] }>`
    select proconfig as config from pg_proc where proname in ('append_events', 'guard_events')`.execute(
    db,
  );
  expect(rows).toEqual(Array(2).fill({ config: ['search_path=public, pg_temp'] }));
});

describe('verify detects', () => {
  test.each(firstCases(10, Object.keys(deceptions)))('%s', async (name) => {
    const { by, found } = deceptions[name] as (typeof deceptions)[string];
    const fault = await tampered(db, by, (tx) => findStructureFault(tx, 'public'));
    expect(fault).toMatchObject({ kind: 'structure', message: expect.stringMatching(found) });
  });
});

test('indexes of the operator and other objects in the same database are ignored', async () => {
  const harmless = [
    sql`create index slow_report on events (request_id) where request_id is not null`,
    sql`create schema reports`,
    sql`create table reports.events (id bigint)`,
    sql`create view daily_report as select count(*) from features`,
    sql`alter table usage_hours set unlogged`,
    sql`create function reports.to_json(text) returns json language sql as ${body(`select '1'::json`)}`,
    sql`create index lower_names on events (lower(feature_name)) where type like 'feature-%'`,
    sql`create statistics reports.s on type, project from events`,
    sql`do ${body(`begin
      execute format('alter database %I set search_path = reports, public', current_database());
      execute format('alter database %I set work_mem = %L', current_database(), '64MB');
      execute format('alter database %I set timezone = %L', current_database(), 'Europe/Berlin');
      execute format('alter role %I set enable_seqscan = off', current_user);
      execute format('alter role %I set shop.tenant = 7', current_user); end`)}`,
  ];
  expect(await tampered(db, harmless, (tx) => findStructureFault(tx, 'public'))).toBeUndefined();
});

test.each(firstCases(1, ['pgcrypto', 'pg_stat_statements', 'hstore']))(
  'the extension %s in the schema of Burgee is reported with a working command to move it',
  async (extension) => {
    const install = sql.raw(`create extension ${extension}`);
    const move = sql.raw(
      `create schema if not exists extensions; alter extension ${extension} set schema extensions`,
    );
    const fault = await tampered(db, [install], (tx) => findStructureFault(tx, 'public'));
    expect(fault).toMatchObject({
      kind: 'structure',
      message: expect.stringMatching(
        `^The database contains the function .* of the extension ${extension} in Burgee's schema`,
      ),
    });
    expect(fault?.message).toContain(
      `CREATE SCHEMA IF NOT EXISTS extensions; ALTER EXTENSION ${extension} SET SCHEMA extensions;`,
    );
    const moved = await tampered(db, [install, move], (tx) => findStructureFault(tx, 'public'));
    expect(moved).toBeUndefined();
  },
);

test('settings matter only for accounts that Burgee might use', async () => {
  const ofProvider = [
    sql`create role structure_provider superuser`,
    sql`alter role structure_provider set session_preload_libraries = 'auto_explain'`,
    sql`create role structure_guest`,
    sql`alter role structure_guest set gin_fuzzy_search_limit = 100`,
    sql`do ${body("begin execute format('alter role %I set exit_on_error = off', current_user); end")}`,
  ];
  expect(await tampered(db, ofProvider, (tx) => findStructureFault(tx, 'public'))).toBeUndefined();
  const ofWriter = [...ofProvider, sql`grant insert on events to structure_guest`];
  expect(await tampered(db, ofWriter, (tx) => findStructureFault(tx, 'public'))).toMatchObject({
    message: expect.stringContaining('gin_fuzzy_search_limit=100 of the account structure_guest'),
  });
});

test('an account cannot make the trigger read a forged anchor', async () => {
  const account = `burgee_guarded_${process.pid}`;
  await sql
    .raw(`create role ${account}; grant select, delete on events to ${account};
      grant select on event_log to ${account};`)
    .execute(db);
  try {
    const attempt = db.transaction().execute(async (tx) => {
      await sql
        .raw(`set local role ${account}; set local search_path = pg_temp, public`)
        .execute(tx);
      await sql`create temp table event_log as select 1000000 as anchor_id`.execute(tx);
      await sql`select set_config('burgee.duty', 'retention', true)`.execute(tx);
      await sql`delete from events where id = 1`.execute(tx);
    });
    await expect(attempt).rejects.toMatchObject({ code: '23001' });
  } finally {
    await sql.raw(`drop owned by ${account}; drop role ${account}`).execute(db);
  }
});
