import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { invalidOperation, notFound } from '../../../platform/errors.ts';
import { personErased } from '../events.ts';
import { holdOrder } from '../record/order.ts';
import { record } from '../record/record.ts';
import { searchText } from '../record/search-text.ts';
import { markdown } from '../record/summary.ts';
import type { Json, JsonObject } from './canonical.ts';
import { listStored, type StoredEvent } from './chain.ts';
import { actorCommitment, erasedName, subjectCommitment } from './hash.ts';

/** The system is nobody. `access` has the same number and stands above this module. */
const systemCreatorId = -1337;

/** One transaction rewrites so many at most; an event that it records names their number. */
const batchSize = 1000;

const byPerson = (id: number) =>
  sql`e.created_by_user_id = ${id} and octet_length(e.actor_seal) = 16`;

/**
 * Events that tell of a person, still readable. The first of these keys that there is names the person; the index
 * `events_subject_idx` is spelled the same.
 */
const ofPerson = (id: number) => sql`
  octet_length(e.subject_seal) = 16 and coalesce(
    e.data->>'userId', e.data->>'id', e.pre_data->>'userId', e.pre_data->>'id') = ${String(id)}`;

/** How many events name a person, as their author or as what they tell of, and how many features as an author. */
export async function countNaming(
  db: Db,
  creatorId: number,
): Promise<{ readonly events: number; readonly features: number }> {
  const { rows } = await sql<{ events: number; features: number }>`
    select count(*) as events, (
      select count(*) from feature_authors where user_id = ${creatorId} and name <> ${erasedName}) as features
    from events e where (${byPerson(creatorId)}) or (${ofPerson(creatorId)})`.execute(db);
  return rows[0] ?? { events: 0, features: 0 };
}

/** Sentences show people in bold and in no other way, so that this takes them all out. */
const withoutNames = (summary: string, names: Iterable<Json>): string => {
  let text = summary;
  for (const name of names) {
    if (name === null || name === '') continue;
    const bold = markdown.bold(typeof name === 'string' ? name : JSON.stringify(name));
    text = text.replaceAll(bold, () => markdown.bold(erasedName));
  }
  return text;
};

async function eraseAuthor(tx: Tx, events: readonly StoredEvent[]): Promise<void> {
  const changes = events.map((event) => ({
    id: event.id,
    seal: actorCommitment(event).toString('hex'),
    summary: withoutNames(event.summary, [event.createdBy]),
  }));
  await sql`
    update events e
    set created_by = ${erasedName}, ip = null, summary = c.summary,
        actor_seal = decode(c.seal, 'hex')
    from json_to_recordset(${JSON.stringify(changes)}::json) c(id bigint, seal text, summary text)
    where e.id = c.id`.execute(tx.db);
}

const without = (object: JsonObject | null, keys: readonly string[]): JsonObject | null =>
  object && Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));

const valuesOf = (object: JsonObject | null, keys: readonly string[]): Json[] =>
  keys.flatMap((key) => object?.[key] ?? []);

function erasedSubject(event: StoredEvent) {
  const keys = event.subjectKeys ?? [];
  const data = without(event.data, keys);
  const preData = without(event.preData, keys);
  const names = [...valuesOf(event.data, keys), ...valuesOf(event.preData, keys)];
  return {
    id: event.id,
    seal: subjectCommitment(event)?.toString('hex'),
    summary: withoutNames(event.summary, names),
    // As text: the database would spell a JSON value inside JSON in its own way.
    data: data && JSON.stringify(data),
    preData: preData && JSON.stringify(preData),
    search: data && searchText(data),
    searchPreData: preData && searchText(preData),
  };
}

async function eraseSubject(tx: Tx, events: readonly StoredEvent[]): Promise<void> {
  const changes = sql`
    json_to_recordset(${JSON.stringify(events.map(erasedSubject))}::json)
    c(id bigint, seal text, summary text, data text, "preData" text, search text, "searchPreData" text)`;
  await sql`
    update events e
    set data = c.data::json, pre_data = c."preData"::json, summary = c.summary,
        subject_seal = decode(c.seal, 'hex')
    from ${changes} where e.id = c.id`.execute(tx.db);
  await sql`
    update event_texts t set search = c.search from ${changes} where t.id = c.id`.execute(tx.db);
  await sql`
    update event_side_texts t set search = c."searchPreData" from ${changes}
    where t.id = c.id and t.part = 'preData'`.execute(tx.db);
}

/** How far an erasure has come: behind these events, nobody has looked yet for those by the person and of the person. */
export interface ErasureProgress {
  readonly by: number;
  readonly of: number;
}

export const erasureBegin: ErasureProgress = { by: 0, of: 0 };

interface ErasedBatch {
  readonly ids: readonly number[];
  /** Undefined: no event names the person any more. */
  readonly next: ErasureProgress | undefined;
}

/**
 * Erases a person from the next events that name them: name, address and personal values are replaced by the
 * commitments that the hashes were made of, so the log still verifies. It keeps no writer waiting. What the person
 * does while this runs is found by erasing them again.
 */
export async function eraseEvents(
  tx: Tx,
  creatorId: number,
  from: ErasureProgress,
  limit = batchSize,
): Promise<ErasedBatch> {
  if (creatorId === systemCreatorId) {
    throw invalidOperation('The system is nobody: there is nothing to forget');
  }
  // Retention waits here: it could remove what is being rewritten.
  await tx.db.updateTable('event_log').set('rewrites', sql`rewrites + 1`).execute();
  await sql`select set_config('burgee.duty', 'erasure', true)`.execute(tx.db);
  const listNaming = (after: number, where: RawBuilder<unknown>) =>
    listStored(tx.db, { after, limit, where });
  const by = await listNaming(from.by, byPerson(creatorId));
  if (by.length > 0) await eraseAuthor(tx, by);
  // Read behind that: an event can be by a person and of them.
  const of = await listNaming(from.of, ofPerson(creatorId));
  if (of.length > 0) await eraseSubject(tx, of);
  await sql`select set_config('burgee.duty', '', true)`.execute(tx.db);
  const isAll = by.length < limit && of.length < limit;
  return {
    ids: [...new Set([...by, ...of].map(({ id }) => id))],
    next: isAll ? undefined : { by: by.at(-1)?.id ?? from.by, of: of.at(-1)?.id ?? from.of },
  };
}

/**
 * Ends a transaction in which events were erased, and the erasure itself where it is the last one. Every writer waits
 * from here to the commit: whoever adds events holds their order, and then writes who their authors are.
 */
export async function recordErasure(
  tx: Tx,
  creatorId: number,
  { erased, before, isLast }: { erased: number; before: number; isLast: boolean },
): Promise<void> {
  let authored = 0n;
  if (isLast) {
    await holdOrder(tx);
    const { numUpdatedRows } = await tx.db
      .updateTable('feature_authors')
      .where('user_id', '=', creatorId)
      .where('name', '<>', erasedName)
      .set({ name: erasedName })
      .executeTakeFirst();
    authored = numUpdatedRows;
    // Retention may have removed the events of somebody who is still named as an author.
    if (erased + before === 0 && authored === 0n)
      throw notFound('event that names a person with the id', creatorId);
  }
  if (erased === 0 && authored === 0n) return;
  record(tx, personErased({ data: { id: creatorId, erased: true, events: erased } }));
}
