import { sql } from 'kysely';
import type { Actor } from '../../platform/actor.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { instantText } from '../../platform/db/instant-text.ts';
import { isEventVisible } from '../events/index.ts';
import type { LoggedEvent } from './fold.ts';
import { presentStates } from './present.ts';
import type { Kind, Subject } from './states.ts';
import type { Changes, CurrentState, StateSpan, Thing } from './world.ts';

export async function findProgress(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('history_progress').select('event_id').executeTakeFirst();
  return row?.event_id;
}

/** One transaction at a time continues the history. */
export async function lockProgress(tx: Tx): Promise<number | undefined> {
  const row = await tx.db
    .selectFrom('history_progress')
    .select('event_id')
    .forUpdate()
    .executeTakeFirst();
  return row?.event_id;
}

export const upsertProgress = (tx: Tx, eventId: number) =>
  tx.db
    .insertInto('history_progress')
    .values({ single: true, event_id: eventId })
    .onConflict((conflict) => conflict.column('single').doUpdateSet({ event_id: eventId }))
    .execute();

/** An event with the length of what it says. */
interface MeasuredEvent extends LoggedEvent {
  readonly characters: number;
}

export async function listEventsAfter(db: Db, id: number, limit: number): Promise<MeasuredEvent[]> {
  const { rows } = await sql<MeasuredEvent>`
    select e.id, e.type, ${instantText('e.created_at')} as "createdAt", e.project, e.environment,
      e.feature_name as "featureName", e.data, e.pre_data as "preData",
      coalesce(length(e.data::text), 0) + coalesce(length(e.pre_data::text), 0) as characters
    from events e where e.id > ${id} and e.id <= ${id + limit} order by e.id`.execute(db);
  return rows;
}

const evaluatedFromId = sql`coalesce(states.evaluated_from_id, states.from_id)::float8 as "evaluatedFromId"`;

export async function listCurrentStates(
  db: Db,
  subjects: readonly Subject[],
): Promise<CurrentState[]> {
  if (subjects.length === 0) return [];
  const { rows } = await sql<CurrentState>`
    select states.kind, states.key, states.part, states.state, ${evaluatedFromId}
    from json_to_recordset(${JSON.stringify(subjects)}::json) subject(kind text, key text)
    join history_states states on states.kind = subject.kind and states.key = subject.key
    where states.to_id is null`.execute(db);
  return rows;
}

/** Sent as JSON, because thousands of rows need more parameters than a statement takes. */
export async function writeChanges(tx: Tx, { ended, begun }: Changes): Promise<void> {
  if (ended.length > 0) {
    await tx.db
      .updateTable('history_states as states')
      .from(
        sql<
          Changes['ended'][number]
        >`json_to_recordset(${JSON.stringify(ended)}::json)`.as<'ended'>(
          sql`ended(kind text, key text, part text, "toId" bigint)`,
        ),
      )
      .set(({ ref }) => ({ to_id: ref('ended.toId') }))
      .whereRef('states.kind', '=', 'ended.kind')
      .whereRef('states.key', '=', 'ended.key')
      .whereRef('states.part', '=', 'ended.part')
      .where('states.to_id', 'is', null)
      .execute();
  }
  if (begun.length === 0) return;
  await tx.db
    .insertInto('history_states')
    .columns(['kind', 'key', 'part', 'from_id', 'to_id', 'state', 'evaluated_from_id'])
    .expression(({ selectFrom }) =>
      selectFrom(
        sql<StateSpan>`json_to_recordset(${JSON.stringify(begun)}::json)`.as<'begun'>(
          sql`begun(kind text, key text, part text, "fromId" bigint, "toId" bigint, state jsonb, "evaluatedFromId" bigint)`,
        ),
      ).select([
        'begun.kind',
        'begun.key',
        'begun.part',
        'begun.fromId',
        'begun.toId',
        'begun.state',
        sql<number | null>`nullif(begun."evaluatedFromId", begun."fromId")`.as('evaluated_from_id'),
      ]),
    )
    .execute();
}

interface PresentState {
  readonly kind: string;
  readonly key: string;
  readonly part: string;
  readonly state: unknown;
}

const present = sql<PresentState>`(${presentStates})`.as('present');

/** Makes the current states what everything is now, from this event on. Equal states continue. */
export async function writePresent(tx: Tx, eventId: number): Promise<void> {
  await tx.db
    .updateTable('history_states as states')
    .set({ to_id: eventId })
    .where('states.to_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom(present)
            .select('present.key')
            .whereRef('present.kind', '=', 'states.kind')
            .whereRef('present.key', '=', 'states.key')
            .whereRef('present.part', '=', 'states.part')
            .whereRef('present.state', '=', 'states.state'),
        ),
      ),
    )
    .execute();
  await tx.db
    .insertInto('history_states')
    .columns(['kind', 'key', 'part', 'from_id', 'state'])
    .expression(({ selectFrom }) =>
      selectFrom(present)
        .select([
          'present.kind',
          'present.key',
          'present.part',
          sql<number>`${eventId}::bigint`.as('from_id'),
          'present.state',
        ])
        .where(({ not, exists, selectFrom: from }) =>
          not(
            exists(
              from('history_states as states')
                .select('states.key')
                .where('states.to_id', 'is', null)
                .whereRef('states.kind', '=', 'present.kind')
                .whereRef('states.key', '=', 'present.key')
                .whereRef('states.part', '=', 'present.part'),
            ),
          ),
        ),
    )
    .execute();
}

export const insertGap = (
  tx: Tx,
  {
    fromId,
    toId,
    reason,
  }: {
    readonly fromId: number;
    readonly toId: number;
    readonly reason: 'beginning' | 'import' | 'unknown';
  },
) => tx.db.insertInto('history_gaps').values({ from_id: fromId, to_id: toId, reason }).execute();

/** Removes what was there only before an event that retention has removed. */
export async function deleteBefore(tx: Tx, eventId: number): Promise<void> {
  await tx.db.deleteFrom('history_states').where('to_id', '<=', eventId).execute();
  await tx.db.deleteFrom('history_gaps').where('to_id', '<=', eventId).execute();
}

/** The last event whose time is remembered. */
export const findLastMoment = (db: Db) =>
  db
    .selectFrom('history_moments')
    .select(['event_id as eventId', 'at'])
    .orderBy('event_id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Not earlier than the time of any event before. */
export const insertMoment = (tx: Tx, eventId: number, at: string) =>
  tx.db
    .insertInto('history_moments')
    .values(({ selectFrom }) => ({
      event_id: eventId,
      at: sql<Date>`greatest(${at}::timestamptz, ${selectFrom('history_moments').select(({ fn }) => fn.max('at').as('at'))})`,
    }))
    .execute();

/** The latest time of these events that were recorded here, and not in an installation from which they were imported. */
export async function findLastRecorded(
  db: Db,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ at: string | null }>`
    select ${instantText('max(e.created_at)')} as at from events e
    where e.id > ${after} and e.id <= ${upTo} and e.data ->> 'importedId' is null`.execute(db);
  return rows[0]?.at ?? undefined;
}

/** Which states of a moment are read. */
export type Selection =
  | { readonly subjects: readonly Subject[] }
  /** All of these kinds; of what features and projects have in each environment, only in these environments. */
  | { readonly kinds: readonly Kind[]; readonly environments?: readonly string[] }
  /** The features that depend on this one. */
  | { readonly parent: string };

const isSelected = (selection: Exclude<Selection, { subjects: readonly Subject[] }>) => {
  if ('parent' in selection) {
    const parents = JSON.stringify([{ feature: selection.parent }]);
    return sql<boolean>`states.kind = 'feature' and states.state -> 'dependencies' @> ${parents}::jsonb`;
  }
  const { kinds, environments } = selection;
  // Not by the index on kinds, which contains all states that there ever were.
  const isKind = sql<boolean>`states.kind || '' = any(${kinds}::text[])`;
  return environments === undefined
    ? isKind
    : sql<boolean>`${isKind} and (
        states.kind not in ('feature-environment', 'project-environment')
        or states.part = any(${environments}::text[]))`;
};

/** The states after an event. */
export async function listStatesAfter(
  db: Db,
  eventId: number,
  selection: Selection,
): Promise<CurrentState[]> {
  const columns = sql`states.kind, states.key, states.part, states.state, ${evaluatedFromId}`;
  const { rows } = await ('subjects' in selection
    ? sql<CurrentState>`
        select ${columns}
        from json_to_recordset(${JSON.stringify(selection.subjects)}::json) subject(kind text, key text)
        join history_states states on states.kind = subject.kind and states.key = subject.key
        where states.from_id <= ${eventId} and (states.to_id is null or states.to_id > ${eventId})`
    : sql<CurrentState>`
        select ${columns} from history_states states
        where int8range(states.from_id, states.to_id) @> ${eventId}::bigint
          and ${isSelected(selection)}`
  ).execute(db);
  return rows;
}

export const findGap = (db: Db, eventId: number) =>
  db
    .selectFrom('history_gaps')
    .where('from_id', '<=', eventId)
    .where('to_id', '>', eventId)
    .select(['from_id as fromId', 'to_id as toId', 'reason'])
    .orderBy('to_id', 'desc')
    .limit(1)
    .executeTakeFirst();

interface MomentSpan {
  /** Everything up to this event was recorded by then. */
  readonly eventId: number;
  /** The next event whose time is known, if there is one. */
  readonly next: number | null;
}

export async function findMoment(db: Db, at: Date): Promise<MomentSpan | undefined> {
  const { rows } = await sql<MomentSpan>`
    select moment.event_id as "eventId", (
      select min(later.event_id) from history_moments later where later.event_id > moment.event_id
    ) as next
    from history_moments moment where moment.at <= ${at}::timestamptz
    order by moment.at desc, moment.event_id desc limit 1`.execute(db);
  return rows[0];
}

interface LastBy {
  /** Null if none of them was. */
  readonly id: number | null;
  /** Whether all of them were recorded later, also the first one, which counts as known. */
  readonly isBefore: boolean;
}

/** The last of these events that was recorded by then. */
export async function findLastBy(
  db: Db,
  { after, upTo, at }: { readonly after: number; readonly upTo: number; readonly at: Date },
): Promise<LastBy> {
  const { rows } = await sql<LastBy>`
    select max(e.id) filter (where e.id > ${after} and e.created_at <= ${at}::timestamptz) as id,
      coalesce(bool_or(e.id = ${after} and e.created_at > ${at}::timestamptz), false) as "isBefore"
    from events e
    where e.id >= ${after} and e.id <= ${upTo} and e.data ->> 'importedId' is null`.execute(db);
  return rows[0] ?? { id: null, isBefore: false };
}

/** What has another state after an event than after an earlier one, or had in between. */
export async function listChangedSubjects(
  db: Db,
  { after, upTo, limit }: { readonly after: number; readonly upTo: number; readonly limit: number },
): Promise<Subject[]> {
  const { rows } = await sql<Subject>`
    select distinct states.kind, states.key from history_states states
    where int8range(states.from_id, states.to_id) && int8range(${after}, ${upTo}, '[]')
      and (states.from_id > ${after} or states.to_id <= ${upTo})
    limit ${limit}`.execute(db);
  return rows;
}

/** The time of an event, or of the next one if retention has removed it. */
export async function findEventTime(db: Db, id: number): Promise<Date | undefined> {
  const row = await db
    .selectFrom('events')
    .where('id', '>=', id)
    .select('created_at as createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.createdAt;
}

/** An event that changed the state of a thing. */
interface ResponsibleEvent {
  /** The place of the thing in the list. */
  readonly thing: number;
  readonly id: number;
  readonly summary: string;
}

/** The events after one event, up to another, that changed these things and that a reader sees, in their order. */
export async function listResponsible(
  db: Db,
  things: readonly Thing[],
  {
    after,
    upTo,
    sees,
    limit,
  }: {
    readonly after: number;
    readonly upTo: number;
    readonly sees: Actor['sees'];
    readonly limit: number;
  },
): Promise<ResponsibleEvent[]> {
  if (things.length === 0) return [];
  const { rows } = await sql<ResponsibleEvent>`
    select distinct (thing.nth - 1)::int as thing, e.id, e.summary
    from json_array_elements(${JSON.stringify(things)}::json) with ordinality thing(it, nth)
    join history_states states on states.kind = thing.it ->> 'kind'
      and states.key = thing.it ->> 'key' and states.part = thing.it ->> 'part'
    join events e on e.id in (states.from_id, states.to_id)
    where e.id > ${after} and e.id <= ${upTo} and ${isEventVisible(sees, 'e.project', 'e.id')}
    order by 1, e.id limit ${limit}`.execute(db);
  return rows;
}
