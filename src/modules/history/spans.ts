import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { createSlices } from '../../platform/slices.ts';
import type { Subject } from './states.ts';
import type { StateSpan } from './world.ts';

/** A span whose state was not read. */
export interface StoredSpan extends Omit<StateSpan, 'state'> {
  /** Compressed, if it is long. */
  readonly storedBytes: number;
}

/** More states than this are not looked through, and more characters of them are not read. */
export const maxSpans = 50_000;
const maxCharacters = 8_000_000;

/** Compressed states are up to a hundred times as long, so that one statement returns at most 25 MB. */
const portionBytes = 256 * 1024;

const columns = sql`states.kind, states.key, states.part, states.from_id::float8 as "fromId",
  states.to_id::float8 as "toId", pg_column_size(states.state)::int as "storedBytes"`;

const spansOf = (subjects: readonly Subject[]) => sql`
  json_to_recordset(${JSON.stringify(subjects)}::json) subject(kind text, key text)
  join history_states states on states.kind = subject.kind and states.key = subject.key`;

/** The spans since an event, the newest of each thing first; one more than may be looked through. */
export async function listSpansSince(
  db: Db,
  subjects: readonly Subject[],
  eventId: number,
): Promise<StoredSpan[]> {
  const { rows } = await sql<StoredSpan>`
    select ${columns} from ${spansOf(subjects)}
    where states.to_id is null or states.to_id >= ${eventId}
    order by states.from_id desc limit ${maxSpans + 1}`.execute(db);
  return rows;
}

/** The spans that contain an event; one more than may be looked through. */
export async function listSpansAt(
  db: Db,
  subjects: readonly Subject[],
  eventId: number,
): Promise<StoredSpan[]> {
  const { rows } = await sql<StoredSpan>`
    select ${columns} from ${spansOf(subjects)}
    where states.from_id <= ${eventId} and (states.to_id is null or states.to_id > ${eventId})
    limit ${maxSpans + 1}`.execute(db);
  return rows;
}

function* inPortions(spans: readonly StoredSpan[]): Generator<readonly StoredSpan[]> {
  let portion: StoredSpan[] = [];
  let bytes = 0;
  for (const span of spans) {
    if (portion.length > 0 && bytes + span.storedBytes > portionBytes) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(span);
    bytes += span.storedBytes;
  }
  if (portion.length > 0) yield portion;
}

/** Adds the states. Undefined if they are too large together. */
export async function readStates(
  db: Db,
  spans: readonly StoredSpan[],
): Promise<StateSpan[] | undefined> {
  const slices = createSlices();
  const read: StateSpan[] = [];
  let characters = 0;
  for (const portion of inPortions(spans)) {
    const keys = portion.map(({ kind, key, part, fromId }) => ({ kind, key, part, from: fromId }));
    const { rows } = await sql<Omit<StateSpan, 'state'> & { readonly text: string }>`
      select states.kind, states.key, states.part, states.state::text as text,
        states.from_id::float8 as "fromId", states.to_id::float8 as "toId"
      from json_to_recordset(${JSON.stringify(keys)}::json)
        wanted(kind text, key text, part text, "from" bigint)
      join history_states states on states.kind = wanted.kind and states.key = wanted.key
        and states.part = wanted.part and states.from_id = wanted."from"`.execute(db);
    characters += rows.reduce((sum, { text }) => sum + text.length, 0);
    if (characters > maxCharacters) return undefined;
    for (const { text, ...span } of rows) {
      read.push({ ...span, state: JSON.parse(text) });
      if (slices.isOver()) await slices.pause();
    }
  }
  return read;
}
