import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openDatabase } from '../src/app/database.ts';
import { migrate } from '../src/migrations/migrate.ts';
import { linkHash } from '../src/modules/events/proof/hash.ts';
import { type Connection, createWritePool } from '../src/platform/db/connect.ts';
import { createLogger } from '../src/platform/log.ts';
import { type Batch, eventColumns } from './batch.ts';
import { checkChain } from './chain.ts';
import { copyInto } from './copy.ts';
import { gatherAuthors } from './gather-authors.ts';
import { inventBatches } from './inventors.ts';
import { needlesOf } from './needles.ts';

const spanMs = 180 * 24 * 60 * 60 * 1000;

interface Head {
  readonly id: number;
  readonly hash: Buffer;
  readonly createdAt: Date | null;
}

async function findHead(client: pg.Client): Promise<Head> {
  const { rows } = await client.query<Head>(`
    select id::int as id, hash, created_at as "createdAt" from events order by id desc limit 1`);
  if (rows[0]) return rows[0];
  const anchor = await client.query<Head>(`
    select anchor_id::int as id, anchor_hash as hash, null as "createdAt" from event_log`);
  if (!anchor.rows[0]) throw new Error('the event log has no anchor: is the schema migrated?');
  return anchor.rows[0];
}

/** Drops the indexes that can be created again: all but those of primary keys. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select c.relname as name, pg_get_indexdef(c.oid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid in ('events'::regclass, 'event_texts'::regclass, 'event_side_texts'::regclass)
      and not exists (select from pg_constraint where conindid = i.indexrelid)
    order by c.relname`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

/** Chains the events to the previous one, as the last column of their rows. Returns the last link. */
function chain(
  { firstId, events, contents }: Batch,
  head: Buffer,
): { lines: Buffer; last: Buffer } {
  let last = head;
  let lines = '';
  events.forEach((line, index) => {
    last = linkHash(firstId + index, last, Buffer.from(contents[index] ?? '', 'hex'));
    lines += `${line}\t\\\\x${last.toString('hex')}\n`;
  });
  return { lines: Buffer.from(lines), last };
}

async function storeBatch(client: pg.Client, events: Buffer, batch: Batch): Promise<void> {
  await copyInto(client, 'events', eventColumns, events);
  await copyInto(client, 'event_texts', ['id', 'search'], batch.texts);
  await copyInto(client, 'event_side_texts', ['id', 'part', 'search'], batch.sideTexts);
  for (const [day, firstId, lastId] of batch.days) {
    await client.query(
      `insert into event_days (day, first_id, last_id) values ($1, $2, $3)
       on conflict (day) do update set last_id = excluded.last_id`,
      [day, firstId, lastId],
    );
  }
}

interface Generated {
  readonly events: number;
  readonly firstId: number;
  readonly lastId: number;
  readonly seconds: number;
}

/**
 * Appends generated events to a migrated database, as `append_events` would have: all or none. For a log of 180 days,
 * the database should have no events yet.
 */
async function generate(
  connection: Connection,
  events: number,
  say: (text: string) => void = () => undefined,
): Promise<Generated> {
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 100) / 10;
  const client = new pg.Client({ ...connection, options: '-c TimeZone=UTC' });
  await client.connect();
  try {
    await client.query(`
      set synchronous_commit = off; set maintenance_work_mem = '768MB'; set statement_timeout = 0;
      begin; select pg_advisory_xact_lock(4242002);`);
    const head = await findHead(client);
    const definitions = await dropIndexes(client);
    const endMs = Date.now();
    // A day filter is a range of ids, so time must not run backwards from the existing events.
    const startMs = Math.max(endMs - spanMs, head.createdAt?.getTime() ?? 0);
    let link = head.hash;
    let storing = Promise.resolve();
    for await (const batch of inventBatches({ events, headId: head.id, startMs, endMs })) {
      const { lines, last } = chain(batch, link);
      link = last;
      await storing;
      storing = storeBatch(client, lines, batch);
    }
    await storing;
    say(`${events} events stored after ${seconds()} s`);
    for (const definition of definitions) await client.query(definition);
    await client.query(gatherAuthors);
    await client.query(`select pg_notify('burgee_events', $1)`, [String(head.id + events)]);
    await client.query('commit');
    say(`indexes made after ${seconds()} s`);
    await client.query(
      'vacuum (analyze) events, event_days, event_texts, event_side_texts, feature_authors',
    );
    await client.query('checkpoint');
    return { events, firstId: head.id + 1, lastId: head.id + events, seconds: seconds() };
  } finally {
    await client.end();
  }
}

/** A file next to the data with the number of generated events, on which the needles depend. */
const markerOf = (dataDir: string) => join(dataDir, 'bench.json');

async function prepareAndGenerate(
  place: { databaseUrl: string | undefined; dataDir: string },
  events: number,
  say: (text: string) => void,
): Promise<void> {
  const log = createLogger('warn');
  const database = await openDatabase(place, log, { exclusive: false });
  try {
    const setup = createWritePool(database.connection, log, 1);
    await migrate(setup);
    await setup.destroy();
    const made = await generate(database.connection, events, say);
    say(`events ${made.firstId} to ${made.lastId} in ${made.seconds} s`);
    const links = await checkChain(database.connection, made.lastId);
    say(`${links} links of the chain recomputed, all as stored`);
  } finally {
    await database.close();
  }
}

/** Returns a log of this many events in the folder: the existing one, or a new one. */
export async function ensureLog(
  dataDir: string,
  events: number,
  say: (text: string) => void,
): Promise<void> {
  const marker = markerOf(dataDir);
  if (existsSync(marker)) {
    const kept = JSON.parse(readFileSync(marker, 'utf8')) as { events: number };
    if (kept.events === events) return say(`${events} events are there from an earlier run`);
    throw new Error(`${dataDir} holds ${kept.events} events: choose another folder, or --events`);
  }
  await prepareAndGenerate({ databaseUrl: undefined, dataDir }, events, say);
  writeFileSync(marker, JSON.stringify({ events }));
}

async function runFromCommandLine(): Promise<void> {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '1000000' },
      'database-url': { type: 'string' },
      'data-dir': { type: 'string', default: 'data' },
    },
  });
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const events = Number(values.events);
  const databaseUrl = values['database-url'];
  if (databaseUrl === undefined) await ensureLog(values['data-dir'], events, say);
  else await prepareAndGenerate({ databaseUrl, dataDir: '' }, events, say);
  const { every, thousand, twenty, none, hardNone, ...rare } = needlesOf(events);
  const examples = [thousand, twenty, none].flatMap((family) => family.slice(0, 3));
  const { twoCharacters, oneCharacter, awkward } = rare;
  const needles = [every, hardNone, ...examples, ...twoCharacters, ...oneCharacter, ...awkward];
  for (const { query, hits, spread } of needles) say(`  ${query}: ${hits} events (${spread})`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runFromCommandLine();
