import { type Kysely, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import {
  exported,
  fill,
  headOf,
  person,
  runVerifier,
  userCreated,
  verifyTampered,
} from '../../../../test/support/proof-log.ts';
import { forgetEverywhere } from '../../../app/installation.ts';
import { transactOn } from '../../../app/transact.ts';
import type { Database, Transact } from '../../../platform/db/database.ts';
import { systemActor } from '../../access/gate/index.ts';
import { record } from '../record/record.ts';
import { countEventsNaming } from './forget.ts';
import { verifyLog } from './verify.ts';

let db: Kysely<Database>;
let transact: Transact;

/** Characters that Markdown, JSON, regular expressions and replacement patterns treat specially. */
const name = 'Zoë *O’Hara* [$&] "\\Q';
const email = 'zoe.ohara@example.org';

/** Every column of every table that contains the text. */
async function placesOf(text: string): Promise<string[]> {
  const { rows: columns } = await sql<{ tableName: string; columnName: string }>`
    select table_name as "tableName", column_name as "columnName" from information_schema.columns
    where table_schema = 'public'`.execute(db);
  const found: string[] = [];
  for (const { tableName, columnName } of columns) {
    const { rows } = await sql<{ value: string }>`
      select distinct ${sql.ref(columnName)}::text as value from ${sql.table(tableName)}`.execute(
      db,
    );
    const spelled = JSON.stringify(text).slice(1, -1);
    const bold = text.replace(/[\\`*_{}[\]()#+!|<>&~]/g, (mark) => `\\${mark}`);
    const forms = [text, spelled, bold, spelled.toLowerCase(), text.toLowerCase()];
    if (rows.some(({ value }) => forms.some((form) => value?.includes(form)))) {
      found.push(`${tableName}.${columnName}`);
    }
  }
  return found;
}

beforeAll(async () => {
  ({ db } = await testDatabase());
  transact = transactOn(db);
  await fill(transact, 3, person(70, name));
  await fill(transact, 2, person(71, 'Grace'));
  await transact(person(71, 'Grace'), async (tx) => {
    record(tx, userCreated({ data: { id: 70, username: name, email } }));
    record(tx, userCreated({ preData: { id: 70, username: name, email } }));
    record(tx, userCreated({ data: { id: 72, username: 'Joan', email: 'joan@example.org' } }));
  });
  await fill(transact, 1, person(70, name));
});

describe('erasing a user from the log', () => {
  test('removes the name and address from every column, and the log verifies', async () => {
    expect(new Set(await placesOf(name))).toEqual(
      new Set([
        'events.created_by',
        'feature_authors.name',
        'events.data',
        'events.pre_data',
        'events.summary',
        'event_texts.search',
        'event_side_texts.search',
      ]),
    );
    expect(await countEventsNaming(db, 70)).toEqual({ events: 6, features: expect.any(Number) });
    expect((await countEventsNaming(db, 70)).features).toBeGreaterThan(0);
    const before = await headOf(db);

    expect(await forgetEverywhere(transact, systemActor, 70)).toBe(6);

    expect(await placesOf(name)).toEqual([]);
    expect(await placesOf(email)).toEqual([]);
    expect(await countEventsNaming(db, 70)).toEqual({ events: 0, features: 0 });
    expect((await verifyLog(db)).fault).toBeUndefined();
    expect((await verifyLog(db, { lastId: before.id, hash: before.hash })).fault).toBeUndefined();
    expect(await runVerifier(['-'], await exported(db))).toMatchObject({ status: 0, stderr: '' });
  });

  test('keeps all other users in the log and records the erasure', async () => {
    const { rows } = await sql<{ createdBy: string; summary: string; ip: string; data: object }>`
      select created_by as "createdBy", summary, ip, data from events order by id desc limit 9`.execute(
      db,
    );
    const [erasure, own, other, aboutPerson] = rows;
    expect(erasure).toMatchObject({
      createdBy: systemActor.name,
      data: { id: 70, erased: true, events: 6 },
    });
    expect(own).toMatchObject({ createdBy: '[erased]', ip: null });
    expect(own?.summary).toMatch(/^\*\*\\\[erased\\\]\*\* changed /);
    expect(other).toMatchObject({ createdBy: 'Grace', data: { username: 'Joan' } });
    expect(aboutPerson).toMatchObject({ createdBy: 'Grace', ip: '203.0.113.9', data: null });
    expect(aboutPerson?.summary).toContain('**Grace**');
  });

  test('does not allow erased values to be replaced unnoticed', async () => {
    const { rows } = await sql<{ id: number }>`
      select min(id) as id from events where created_by = '[erased]'`.execute(db);
    const id = rows[0]?.id ?? 0;
    for (const tamper of [
      sql`update events set created_by = 'Mallory' where id = ${id}`,
      sql`update events set ip = '203.0.113.1' where id = ${id}`,
      sql`update events set created_by = 'Mallory', actor_seal = substr(actor_seal, 1, 16) where id = ${id}`,
    ]) {
      expect((await verifyTampered(db, tamper)).fault).toMatchObject({
        kind: 'altered',
        eventId: id,
      });
    }
    const subject = await sql<{ id: number }>`
      select id from events where type = 'user-created' and octet_length(subject_seal) = 32
      order by id limit 1`.execute(db);
    const aboutId = subject.rows[0]?.id ?? 0;
    const named = sql`update events set data = '{"id":70,"username":"Mallory"}' where id = ${aboutId}`;
    expect((await verifyTampered(db, named)).fault).toMatchObject({
      kind: 'altered',
      eventId: aboutId,
    });
  });

  test('is possible once, never for the system, and never without an event', async () => {
    await expect(forgetEverywhere(transact, systemActor, 70)).rejects.toMatchObject({
      status: 404,
    });
    await expect(forgetEverywhere(transact, systemActor, systemActor.id)).rejects.toMatchObject({
      status: 403,
    });
    const head = await headOf(db);
    const silent = [
      sql`delete from events where id = ${head.id}`,
      sql`delete from event_texts where id = ${head.id}`,
      sql`update event_days set last_id = ${head.id - 1}`,
    ];
    expect((await verifyTampered(db, silent)).fault).toMatchObject({ kind: 'erasure' });
  });

  test('increments the rewrite counter, so that cached counts are discarded', async () => {
    const rewrites = async () =>
      (await db.selectFrom('event_log').select('rewrites').executeTakeFirstOrThrow()).rewrites;
    const before = await rewrites();
    await forgetEverywhere(transact, systemActor, 72);
    expect(await rewrites()).toBe(before + 1);
    expect((await verifyLog(db)).fault).toBeUndefined();
  });
});
