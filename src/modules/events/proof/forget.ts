import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { invalidOperation, notFound } from '../../../platform/errors.ts';
import { personErased } from '../events.ts';
import { lockEventLog } from '../record/order.ts';
import { record } from '../record/record.ts';
import { searchText } from '../record/search-text.ts';
import { markdown } from '../record/summary.ts';
import type { Json, JsonObject } from './canonical.ts';
import { listStored, type StoredEvent } from './chain.ts';
import { actorCommitment, erasedName, subjectCommitment } from './hash.ts';

/** The system is no person. `access` has the same number, but this module may not import it. */
const systemCreatorId = -1337;

/** One transaction rewrites at most this many events. It records an event with their number. */
const batchSize = 1000;

const isByPerson = (id: number) =>
  sql`e.created_by_user_id = ${id} and octet_length(e.actor_seal) = 16`;

/**
 * Unerased events about a person. The first of these keys that exists has the id of the person. The index
 * `events_subject_idx` has the same expression.
 */
const isAboutPerson = (id: number) => sql`
  octet_length(e.subject_seal) = 16 and coalesce(
    e.data->>'userId', e.data->>'id', e.pre_data->>'userId', e.pre_data->>'id') = ${String(id)}`;

/**
 * Counts the events that name a person, as author or as subject, and the features that name the person as an author.
 */
export async function countEventsNaming(
  db: Db,
  creatorId: number,
): Promise<{ readonly events: number; readonly features: number }> {
  const { rows } = await sql<{ events: number; features: number }>`
    select count(*) as events, (
      select count(*) from feature_authors where user_id = ${creatorId} and name <> ${erasedName}) as features
    from events e where (${isByPerson(creatorId)}) or (${isAboutPerson(creatorId)})`.execute(db);
  return rows[0] ?? { events: 0, features: 0 };
}

/** Summaries show people in bold and in no other way, so that this removes all of them. */
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
    // As text, because the database would spell nested JSON in its own way.
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

/** The last ids that an erasure has processed, of events by the person and of events about the person. */
export interface ErasureProgress {
  readonly authored: number;
  readonly about: number;
}

export const erasureStart: ErasureProgress = { authored: 0, about: 0 };

interface ErasedBatch {
  readonly ids: readonly number[];
  /** Undefined if no event names the person any more. */
  readonly next: ErasureProgress | undefined;
}

/**
 * Erases a person from the next events that name them. The commitments that the hashes were computed from replace name,
 * address and personal values, so that the log still verifies. It does not block writers. Erasing the person again
 * finds what they did in the meantime.
 */
export async function eraseEvents(
  tx: Tx,
  creatorId: number,
  from: ErasureProgress,
  limit = batchSize,
): Promise<ErasedBatch> {
  if (creatorId === systemCreatorId) {
    throw invalidOperation('The system account cannot be erased');
  }
  // This makes retention wait, which could remove the events that are being rewritten.
  await tx.db.updateTable('event_log').set('rewrites', sql`rewrites + 1`).execute();
  await sql`select set_config('burgee.duty', 'erasure', true)`.execute(tx.db);
  const listNaming = (after: number, where: RawBuilder<unknown>) =>
    listStored(tx.db, { after, limit, where });
  const authored = await listNaming(from.authored, isByPerson(creatorId));
  if (authored.length > 0) await eraseAuthor(tx, authored);
  // Read after the update above, because an event can be both by a person and about them.
  const about = await listNaming(from.about, isAboutPerson(creatorId));
  if (about.length > 0) await eraseSubject(tx, about);
  await sql`select set_config('burgee.duty', '', true)`.execute(tx.db);
  const isAll = authored.length < limit && about.length < limit;
  return {
    ids: [...new Set([...authored, ...about].map(({ id }) => id))],
    next: isAll
      ? undefined
      : { authored: authored.at(-1)?.id ?? from.authored, about: about.at(-1)?.id ?? from.about },
  };
}

/**
 * Records the erasure of a batch, and finishes the erasure after the last batch. From here to the commit every writer
 * waits: a writer takes the lock of the event log first and then updates the authors of features.
 */
export async function recordErasure(
  tx: Tx,
  creatorId: number,
  { erased, before, isLast }: { erased: number; before: number; isLast: boolean },
): Promise<void> {
  let authored = 0n;
  if (isLast) {
    await lockEventLog(tx);
    const { numUpdatedRows } = await tx.db
      .updateTable('feature_authors')
      .where('user_id', '=', creatorId)
      .where('name', '<>', erasedName)
      .set({ name: erasedName })
      .executeTakeFirst();
    authored = numUpdatedRows;
    // Retention may have removed the events of a person who is still listed as an author.
    if (erased + before === 0 && authored === 0n)
      throw notFound('user in the event log with ID', creatorId);
  }
  if (erased === 0 && authored === 0n) return;
  record(tx, personErased({ data: { id: creatorId, erased: true, events: erased } }));
}
