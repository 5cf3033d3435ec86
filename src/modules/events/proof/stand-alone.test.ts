import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import {
  exported,
  fill,
  headOf,
  person,
  runVerifier,
  startVerifier,
  tampered,
  userCreated,
} from '../../../../test/support/proof-log.ts';
import { firstCases } from '../../../../test/support/random-cases.ts';
import { forgetEverywhere } from '../../../app/installation.ts';
import { transactOn } from '../../../app/transact.ts';
import type { Database } from '../../../platform/db/database.ts';
import { systemActor } from '../../access/gate/index.ts';
import { record } from '../record/record.ts';
import { makeCheckpoint } from './checkpoint.ts';
import { findSigner, prepareSigningKey, rotateSigningKey, type Signer } from './signing.ts';
import { verifyLog } from './verify.ts';

const folder = mkdtempSync(join(tmpdir(), 'burgee-export-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fileOf = (name: string, content: string) => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};

let db: Kysely<Database>;
let last: number;
beforeAll(async () => {
  ({ db } = await testDatabase());
  const transact = transactOn(db);
  await fill(transact, 6, person(7, 'Ada'));
  await transact(person(8, 'Grace'), async (tx) => {
    record(tx, userCreated({ data: { id: 9, username: 'Joan', email: 'joan@example.org' } }));
    record(tx, userCreated({ data: { id: 7, username: 'Ada', email: 'ada@example.org' } }));
  });
  await fill(transact, 6, person(8, 'Grace'));
  await forgetEverywhere(transact, systemActor, 7);
  await fill(transact, 2, person(8, 'Grace'));
  last = (await headOf(db)).id;
});

test('the verifier is short and has no dependencies', () => {
  const source = readFileSync(
    new URL('../../../../tools/verify-events.mjs', import.meta.url),
    'utf8',
  );
  expect(source.split('\n').length - 1).toBeLessThan(500);
  const imports = [...source.matchAll(/(?:from|import\(|require\()\s*'([^']+)'/g)];
  expect(imports.length).toBeGreaterThan(0);
  for (const [, name] of imports) expect(name).toMatch(/^node:/);
  // Some versions of readline also split lines at U+2028, which a test on an older version would not notice.
  expect(source).not.toContain('node:readline');
});

test.each(['asc', 'desc'] as const)(
  'the verifier reports no errors for an intact log in %s order',
  async (order) => {
    const { hash } = await headOf(db);
    expect(startVerifier(['-'], await exported(db, order))).toEqual({
      status: 0,
      stdout: `${last} events verified, 1 to ${last}, hash ${hash}\n`,
      stderr: '',
    });
  },
);

const columns = sql`created_at, type, created_by, created_by_user_id, project, environment,
  feature_name, data, pre_data, tags, label, summary, ip, request_id, actor_seal, subject_keys,
  subject_seal, hash`;

const moveDown = (id: number) => [
  sql`update events set id = -id where id >= ${id}`,
  sql`update events set id = -id + 1 where id < 0`,
];

const tamperings: Record<string, (id: number) => RawBuilder<unknown>[]> = {
  'changed data': (id) => [sql`update events set data = '{"n":1000}' where id = ${id}`],
  'another author': (id) => [sql`update events set created_by = 'Mallory' where id = ${id}`],
  'another time': (id) => [
    sql`update events set created_at = created_at + interval '1 ms' where id = ${id}`,
  ],
  'another salt': (id) => [sql`update events set actor_seal = sha256('x') where id = ${id}`],
  'an invalid seal': (id) => [sql`update events set subject_seal = '\\x01' where id = ${id}`],
  'another hash': (id) => [sql`update events set hash = sha256('x') where id = ${id}`],
  'a removed event': (id) => [
    sql`delete from events where id = ${id}`,
    sql`delete from event_texts where id = ${id}`,
  ],
  'a removed event with renumbered ids': (id) => [
    sql`delete from events where id = ${id}`,
    sql`update events set id = -id where id > ${id}`,
    sql`update events set id = -id - 1 where id < 0`,
  ],
  'an inserted copy': (id) => [
    ...moveDown(id),
    sql`insert into events select ${id}, ${columns} from events where id = 3`,
  ],
  'an inserted forgery': (id) => [
    ...moveDown(id),
    sql`insert into events select ${id}, ${columns} from events where id = 3`,
    sql`update events set hash = sha256('x') where id = ${id}`,
  ],
  'two swapped events': (id) => [
    sql`update events set id = -1 where id = ${id}`,
    sql`update events set id = ${id} where id = ${id + 1}`,
    sql`update events set id = ${id + 1} where id = -1`,
  ],
};

describe.each(Object.keys(tamperings))('the verifier on a log with %s', (name) => {
  test.each(firstCases(1, ['middle', 'first', 'last']))(
    'reports the same event as burgee verify at the %s position',
    async (place) => {
      const end =
        name === 'two swapped events' || name.includes('renumbered') ? last - 2 : last - 1;
      const id = place === 'first' ? 1 : place === 'last' ? end : Math.floor(last / 2);
      const order = place === 'middle' ? 'desc' : 'asc';
      const [fault, lines] = await tampered(db, tamperings[name]?.(id) ?? [], async (tx) => [
        (await verifyLog(tx)).fault,
        await exported(tx, order),
      ]);
      expect(fault?.eventId).toBe(id);
      const { status, stderr } = await runVerifier([fileOf('tampered.ndjson', lines)]);
      expect(status).toBe(1);
      expect(stderr).toMatch(new RegExp(`^Event ${id} .*was ${fault?.kind}`));
    },
  );
});

test('an erased user whose name is replaced is detected', async () => {
  const { rows } = await sql<{ id: number }>`
    select min(id) as id from events where created_by = '[erased]'`.execute(db);
  const id = rows[0]?.id ?? 0;
  const renamed = sql`update events set created_by = 'Mallory' where id = ${id}`;
  const lines = await tampered(db, renamed, (tx) => exported(tx));
  expect((await runVerifier(['-'], lines)).stderr).toMatch(`Event ${id} was altered`);
});

test('properties not covered by a hash and an empty file are doubtful', async () => {
  const added = (await exported(db))
    .replace('"label":', '"note":"forged","label":')
    .replace('"requestId":', '"approvedBy":"forged","requestId":');
  const { status, stderr } = await runVerifier(['-'], added);
  expect([status, stderr]).toEqual([...[2, 'No hash covers the keys note, approvedBy\n']]);
  expect(await runVerifier(['-'], '')).toMatchObject({
    status: 2,
    stderr: 'There were no events to verify\n',
  });
});

test('lines end at a line feed and not at U+2028', async () => {
  const own = await testDatabase();
  await transactOn(own.db)(person(8, 'Grace\u2028Hopper\u2029\u0085'), async (tx) =>
    record(tx, userCreated({ data: { id: 9, username: 'a\u2028b', email: 'c\u2029d' } })),
  );
  const lines = await exported(own.db);
  expect(lines).toContain('a\u2028b');
  for (const spelling of [lines, lines.replaceAll('\n', '\r\n'), lines.trimEnd()]) {
    expect(await runVerifier(['-'], spelling)).toMatchObject({ status: 0, stderr: '' });
  }
});

test('another encoding of the same event is detected: duplicate keys, spaces or escapes', async () => {
  const lines = await exported(db);
  const [line = ''] = lines.split('\n').filter((text) => text.includes('"featureName":"flag-3"'));
  const { id } = JSON.parse(line);
  for (const other of [
    line.replace('"data":{', '"data":{"note":"FORGED",'),
    line.replace('"type":', '"type":"nothing-happened","type":'),
    line.replace('"id":', '"id": '),
    line.replace('flag-3', 'flag\\u002d3'),
  ]) {
    expect(other).not.toBe(line);
    expect(await runVerifier(['-'], lines.replace(line, other))).toMatchObject({
      status: 1,
      stderr: `Event ${id} was altered: its line is not formatted as Burgee writes it\n`,
    });
  }
});

test('lines that are out of order, duplicated or missing are detected', async () => {
  const lines = (await exported(db)).trimEnd().split('\n');
  const [one = '', two = '', three = '', ...rest] = lines;
  const check = (changed: string[]) => runVerifier(['-'], `${changed.join('\n')}\n`);
  expect((await check([one, three, two, ...rest])).stderr).toMatch(/^Event 2 was reordered/);
  expect((await check([one, two, two, three, ...rest])).stderr).toMatch(
    /^Event 2 is in the file twice/,
  );
  expect((await check([two, three, ...rest])).stderr).toMatch(/^Event 1 was removed/);
  expect(await check(['no JSON', ...lines])).toMatchObject({
    status: 1,
    stderr: 'Line 1 is not JSON\n',
  });
});

test('a partial log is verified with --partial', async () => {
  const lines = (await exported(db)).trimEnd().split('\n');
  const part = lines.filter((_line, index) => index % 3 !== 1).join('\n');
  expect((await runVerifier(['-'], part)).stderr).toMatch(/^Event 2 was removed/);
  expect(await runVerifier(['-', '--partial'], part)).toMatchObject({ status: 0, stderr: '' });
  const wrong = part.replace('"Grace"', '"Mallory"');
  expect(await runVerifier(['-', '--partial'], wrong)).toMatchObject({ status: 1 });
});

test('a checkpoint reveals missing events at the end, and its signature is verified', async () => {
  await transactOn(db)(systemActor, (tx) => prepareSigningKey(tx, undefined));
  const signer = (await findSigner(db, undefined)) as Signer;
  const checkpoint = await makeCheckpoint(db, signer, new Date());
  const key = fileOf('key.pem', checkpoint.publicKey);
  const args = ['--checkpoint', fileOf('checkpoint.json', JSON.stringify(checkpoint))];
  const lines = await exported(db);
  const short = lines.trimEnd().split('\n').slice(0, -2).join('\n');
  expect(await runVerifier(['-', ...args, '--public-key', key], lines)).toMatchObject({
    status: 0,
    stderr: '',
  });
  expect((await runVerifier(['-'], short)).status).toBe(0);
  expect((await runVerifier(['-', ...args, '--public-key', key], short)).stderr).toMatch(
    `Event ${last - 1} was removed`,
  );
  await transactOn(db)(systemActor, (tx) =>
    rotateSigningKey(tx, { file: undefined, toDatabase: false }),
  );
  const { publicKey: newKey } = (await findSigner(db, undefined)) as Signer;
  const both = fileOf('keys.pem', `a, current\n${newKey}b, retired\n${checkpoint.publicKey}`);
  expect(await runVerifier(['-', ...args, '--public-key', both], lines)).toMatchObject({
    status: 0,
    stderr: '',
  });
  const other = fileOf('new.pem', newKey);
  expect((await runVerifier(['-', ...args, '--public-key', other], lines)).stderr).toMatch(
    `The key ${checkpoint.keyId}, which signed the checkpoint, is not in`,
  );
  const forged = { ...checkpoint, lastId: last - 2 };
  const forgedFile = fileOf('forged.json', JSON.stringify(forged));
  expect(await runVerifier(['-', '--checkpoint', forgedFile], short)).toMatchObject({ status: 1 });
});
