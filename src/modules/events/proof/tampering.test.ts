import fc from 'fast-check';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { columnsAfterId, eventEdits } from '../../../../test/support/event-edits.ts';
import {
  exported,
  fill,
  headOf,
  person,
  runVerifier,
  tampered,
  userCreated,
  verifyTampered,
} from '../../../../test/support/proof-log.ts';
import { firstCases, randomCases } from '../../../../test/support/random-cases.ts';
import { transactOn } from '../../../app/transact.ts';
import type { Database } from '../../../platform/db/database.ts';
import { record } from '../record/record.ts';
import { contentOf, listStored } from './chain.ts';
import { linkHash } from './hash.ts';
import { verifyLog } from './verify.ts';

let db: Kysely<Database>;
let last: number;
/** The first event that has every field. */
let whole: number;
const places = ['middle', 'first', 'last'] as const;
const idAt = (place: (typeof places)[number]) =>
  place === 'first' ? 1 : place === 'last' ? last : Math.floor(last / 2);

beforeAll(async () => {
  ({ db } = await testDatabase());
  const transact = transactOn(db);
  whole = (await headOf(db)).id + 1;
  await fill(transact, 6, person(7, 'Ada'));
  await transact(person(8, 'Grace'), async (tx) =>
    record(tx, userCreated({ data: { id: 9, username: 'Joan', email: 'joan@example.org' } })),
  );
  await Promise.all(Array.from({ length: 20 }, () => fill(transact, 2)));
  await fill(transact, 1, person(7, 'Ada'));
  last = (await headOf(db)).id;
});

const faultAfter = async (tamper: RawBuilder<unknown> | RawBuilder<unknown>[]) =>
  (await verifyTampered(db, tamper)).fault;

test('a log written by many concurrent transactions verifies', async () => {
  const { ok, checked, firstId, lastId, hash, fault } = await verifyLog(db);
  expect({ ok, fault }).toEqual({ ok: true, fault: undefined });
  expect({ firstId, lastId, checked }).toEqual({ firstId: 1, lastId: last, checked: last });
  expect(hash).toBe((await headOf(db)).hash);
});

test('a date changed to BC is detected, although it reads the same', async () => {
  const id = idAt('middle');
  const moved = sql`
    update events set created_at = (created_at::text || ' BC')::timestamptz where id = ${id}`;
  expect(await faultAfter(moved)).toMatchObject({ kind: 'altered', eventId: id });
  const lines = await tampered(db, moved, (tx) => exported(tx));
  expect(await runVerifier(['-'], lines)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(`^Event ${id} was altered`),
  });
});

describe.each(firstCases(1, places))('tampering at the %s event', (place) => {
  test.each(Object.keys(eventEdits))('is detected if %s is changed', async (column) => {
    const id = idAt(place);
    const edit = eventEdits[column] as RawBuilder<unknown>;
    expect(
      await faultAfter(sql`update events set ${sql.ref(column)} = ${edit} where id = ${id}`),
    ).toMatchObject({ kind: 'altered', eventId: id });
  });

  test('is detected if the event is removed', async () => {
    const id = idAt(place);
    expect(await faultAfter(sql`delete from events where id = ${id}`)).toMatchObject({
      kind: 'removed',
      eventId: id,
    });
  });

  test('is detected if the event is removed and later ids are renumbered', async () => {
    const id = idAt(place);
    const fault = await faultAfter([
      sql`delete from events where id = ${id}`,
      sql`update events set id = -id where id > ${id}`,
      sql`update events set id = -id - 1 where id < 0`,
    ]);
    expect(fault).toMatchObject({ kind: 'removed', eventId: id });
  });

  test('is detected if an event is inserted and later ids are renumbered', async () => {
    const id = idAt(place);
    const fault = await faultAfter([
      sql`update events set id = -id where id >= ${id}`,
      sql`update events set id = -id + 1 where id < 0`,
      sql`insert into events
          select ${id}, ${columnsAfterId}
          from events where id = 3`,
    ]);
    expect(fault).toMatchObject({ kind: 'inserted', eventId: id });
  });

  test.each([1, 4])(
    'is detected if the event is swapped with one %i positions later',
    async (far) => {
      const id = place === 'last' ? last - far : idAt(place);
      const fault = await faultAfter([
        sql`update events set id = -1 where id = ${id}`,
        sql`update events set id = ${id} where id = ${id + far}`,
        sql`update events set id = ${id + far} where id = -1`,
      ]);
      expect(fault).toMatchObject({ kind: 'reordered', eventId: id });
    },
  );

  test('is detected if two events swap their contents', async () => {
    const id = place === 'last' ? last - 1 : idAt(place);
    const fault = await faultAfter(sql`
      update events e
      set created_at = o.created_at, type = o.type, created_by = o.created_by,
        created_by_user_id = o.created_by_user_id, project = o.project, environment = o.environment,
        feature_name = o.feature_name, data = o.data, pre_data = o.pre_data, tags = o.tags, ip = o.ip,
        request_id = o.request_id, actor_seal = o.actor_seal, subject_keys = o.subject_keys,
        subject_seal = o.subject_seal
      from events o
      where e.id in (${id}, ${id + 1}) and o.id = ${2 * id + 1} - e.id`);
    expect(fault).toMatchObject({ kind: 'reordered', eventId: id });
  });

  test('is detected if a search text is changed or missing', async () => {
    const id = place === 'first' ? whole : idAt(place);
    for (const tamper of [
      sql`update event_texts set search = 'nothing to see' where id = ${id}`,
      sql`delete from event_texts where id = ${id}`,
    ]) {
      expect(await faultAfter(tamper)).toMatchObject({ kind: 'search text', eventId: id });
    }
  });
});

test('an event appended with a copied hash is detected', async () => {
  const fault = await faultAfter(sql`
    insert into events
    select ${last + 1}, ${columnsAfterId}
    from events where id = ${last}`);
  expect(fault).toMatchObject({ kind: 'inserted', eventId: last + 1 });
});

test('an inserted event with a valid link is reported, not the one after it', async () => {
  const id = idAt('middle');
  const [source] = await listStored(db, { after: last - 1, limit: 1 });
  const [before] = await listStored(db, { after: id - 2, limit: 1 });
  if (!source || !before) throw new Error('the log is too short');
  const fault = await faultAfter([
    sql`update events set id = -id where id >= ${id}`,
    sql`update events set id = -id + 1 where id < 0`,
    sql`insert into events
        select ${id}, created_at, type, created_by, created_by_user_id, project, environment,
          feature_name, data, pre_data, tags, label, summary, ip, request_id, actor_seal,
          subject_keys, subject_seal, ${linkHash(id, before.hash, contentOf(source))}
        from events where id = ${last + 1}`,
    // Without this row the missing text of the event would reveal it earlier.
    sql`insert into event_texts select ${last + 1}, search from event_texts where id = ${last}`,
    sql`update event_texts t set search = s.search from event_texts s
        where t.id = ${id} and s.id = ${last + 1}`,
    sql`update event_side_texts t set search = s.search from event_side_texts s
        where t.id = ${id} and s.id = ${last} and s.part = t.part`,
  ]);
  expect(fault).toMatchObject({ kind: 'inserted', eventId: id });
});

const copyTo = (id: string) => sql`
  insert into events
  select ${id}, created_at, type, created_by, created_by_user_id, project, environment,
    feature_name, data, pre_data, tags, label, summary, ip, request_id, actor_seal,
    subject_keys, subject_seal, hash
  from events where id = ${idAt('middle')}`;

// The last three are not exact as JavaScript numbers.
test.each(['0', '-5', '-9007199254740991', '-9007199254740993', '-9223372036854775808'])(
  'an event before the beginning of the log is detected with the id %s',
  async (id) => {
    expect(await faultAfter(copyTo(id))).toMatchObject({
      kind: 'inserted',
      message: `Event ${id} was inserted: the stored log begins after event 0`,
    });
  },
);

test('a log without the row for its beginning is not intact', async () => {
  expect(await faultAfter(sql`delete from event_log`)).toMatchObject({ kind: 'anchor' });
});

test('changed side texts and search texts without an event are detected', async () => {
  for (const [tamper, eventId] of [
    [sql`update event_side_texts set search = 'x' where id = ${whole} and part = 'tags'`, whole],
    [sql`delete from event_side_texts where id = ${whole} and part = 'preData'`, whole],
    [sql`insert into event_side_texts values (${whole}, 'else', 'x')`, whole],
    [sql`insert into event_texts values (${last + 9}, 'x')`, last + 9],
    [sql`insert into event_texts values (-3, 'x')`, -3],
  ] as const) {
    expect(await faultAfter(tamper)).toMatchObject({ kind: 'search text', eventId });
  }
});

test('a wrong list of days is detected', async () => {
  for (const tamper of [
    sql`update event_days set first_id = first_id + 1`,
    sql`update event_days set first_id = first_id - 1`,
    sql`update event_days set last_id = last_id - 1`,
    sql`delete from event_days`,
    sql`insert into event_days values ('1999-01-01', 1, 1)`,
  ]) {
    expect(await faultAfter(tamper)).toMatchObject({ kind: 'days' });
  }
});

test('another encoding of the same data is detected', async () => {
  const id = whole;
  const { rows } = await sql<{ text: string }>`
    select data::text as text from events where id = ${id}`.execute(db);
  const text = rows[0]?.text ?? '';
  for (const other of [text.replace(',', ', '), text.replace('{', '{"n":77,'), `${text} `]) {
    const tamper = sql`update events set data = ${other}::json where id = ${id}`;
    expect(await faultAfter(tamper)).toMatchObject({ kind: 'altered', eventId: id });
  }
  const none = sql`update events set pre_data = 'null' where pre_data is null and id = 1`;
  expect(await faultAfter(none)).toMatchObject({ kind: 'altered', eventId: 1 });
});

test('a checkpoint reveals a removed end and a rewritten log', async () => {
  const head = await headOf(db);
  const end = { lastId: head.id, hash: head.hash };
  const clean = [
    sql`delete from events where id > ${last - 3}`,
    sql`delete from event_texts where id > ${last - 3}`,
    sql`delete from event_side_texts where id > ${last - 3}`,
    // More than one day if the tests began before midnight.
    sql`delete from event_days where first_id > ${last - 3}`,
    sql`update event_days set last_id = ${last - 3} where last_id > ${last - 3}`,
  ];
  expect((await verifyTampered(db, clean)).fault).toBeUndefined();
  expect((await verifyTampered(db, clean, end)).fault).toMatchObject({
    kind: 'removed',
    eventId: last - 2,
  });
  expect((await verifyLog(db, end)).fault).toBeUndefined();
  expect((await verifyLog(db, { ...end, hash: 'ab'.repeat(32) })).fault).toMatchObject({
    kind: 'altered',
    eventId: last,
  });
});

test('any change of a row is detected', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((s) => !s.includes('\0'));
  const change = fc.oneof(
    fc.record({
      column: fc.constantFrom(
        'type',
        'created_by',
        'project',
        'environment',
        'feature_name',
        'ip',
        'request_id',
      ),
      value: fc.oneof(text, fc.constant(null)),
    }),
    fc.record({
      column: fc.constantFrom('data', 'pre_data', 'tags'),
      value: fc.json({ noUnicodeString: false }).filter((s) => !s.includes('\\u0000')),
    }),
    fc.record({
      column: fc.constantFrom('actor_seal', 'subject_seal', 'hash'),
      value: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    }),
    fc.record({
      column: fc.constant('created_by_user_id'),
      value: fc.oneof(fc.integer(), fc.constant(null)),
    }),
  );
  await fc.assert(
    fc.asyncProperty(change, fc.integer({ min: 1, max: last }), async ({ column, value }, id) => {
      const name = sql.ref(column);
      const required = ['type', 'created_by'].includes(column) && value === null;
      fc.pre(!required);
      const { rows } = await sql<{ same: boolean }>`
        select ${name}::text is not distinct from
          ${Buffer.isBuffer(value) ? sql`${value}::bytea` : value}::text as same
        from events where id = ${id}`.execute(db);
      fc.pre(rows[0]?.same === false);
      const fault = await faultAfter(sql`update events set ${name} = ${value} where id = ${id}`);
      expect(fault).toMatchObject({ kind: 'altered', eventId: id });
    }),
    randomCases(4, 500),
  );
});

describe('the database', () => {
  test('rejects changing, removing or truncating events', async () => {
    for (const statement of [
      sql`update events set type = 'user-created' where id = 1`,
      sql`update events set summary = '' where id = 1`,
      sql`delete from events where id = 1`,
      sql`truncate events`,
    ]) {
      await expect(statement.execute(db)).rejects.toMatchObject({ code: '23001' });
    }
  });

  test('allows an erasure to replace a user by the commitment, and nothing else', async () => {
    const asErasure = (statement: RawBuilder<unknown>) =>
      db.transaction().execute(async (tx) => {
        await sql`select set_config('burgee.duty', 'erasure', true)`.execute(tx);
        await statement.execute(tx);
      });
    for (const statement of [
      sql`update events set created_by = 'Mallory' where id = ${whole}`,
      sql`update events set created_by = '[erased]', ip = null where id = ${whole}`,
      sql`update events set created_by = '[erased]', ip = null, actor_seal = sha256('x') where id = ${whole}`,
      sql`update events set data = '{"n":1}' where id = ${whole}`,
      sql`update events set data = '{"id":9,"admin":true}', subject_seal = sha256('x')
          where type = 'user-created'`,
      sql`update events set summary = 'nothing happened' where id = ${whole}`,
      sql`delete from events where id = ${whole}`,
    ]) {
      await expect(asErasure(statement)).rejects.toMatchObject({ code: '23001' });
    }
  });

  test('prevents retention from removing events after the anchor', async () => {
    const removal = db.transaction().execute(async (tx) => {
      await sql`select set_config('burgee.duty', 'retention', true)`.execute(tx);
      await sql`delete from events where id = 1`.execute(tx);
    });
    await expect(removal).rejects.toMatchObject({ code: '23001' });
    expect((await verifyLog(db)).ok).toBe(true);
  });

  test('also rejects an account that does not own the log', async () => {
    const account = `burgee_app_${process.pid}`;
    await sql
      .raw(`create role ${account}; grant all on events, event_log to ${account}`)
      .execute(db);
    try {
      for (const statement of ['update events set ip = null', 'delete from events']) {
        const attempt = db.transaction().execute(async (tx) => {
          await sql.raw(`set local role ${account}`).execute(tx);
          await sql.raw(statement).execute(tx);
        });
        await expect(attempt).rejects.toMatchObject({ code: '23001' });
      }
    } finally {
      await sql.raw(`drop owned by ${account}; drop role ${account}`).execute(db);
    }
  });
});

test('a user without a recorded erasure cannot be erased unnoticed', async () => {
  const seal = sql`sha256(actor_seal || convert_to('{"createdBy":' || to_json(created_by) ||
    ',"ip":' || coalesce(to_json(ip)::text, 'null') || '}', 'UTF8'))`;
  const erase = (name: string) =>
    sql`update events set actor_seal = ${seal}, ip = null, created_by = ${name} where id = ${last}`;
  expect(await faultAfter(erase('[erased]'))).toMatchObject({ kind: 'erasure', eventId: last });
  expect(await faultAfter(erase('Mallory'))).toMatchObject({ kind: 'altered', eventId: last });
});
