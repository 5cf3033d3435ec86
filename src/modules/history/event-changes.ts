import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { readLog } from '../events/index.ts';
import { notReady, readRest } from './as-of.ts';
import { applyEvent, type LoggedEvent, subjectsOf } from './fold.ts';
import { presentOf } from './present.ts';
import { listCurrentStates } from './queries.ts';
import type { Kind, Subject } from './states.ts';
import { type CurrentState, createWorld, type StateSpan, type Thing } from './world.ts';

/** What an event did to a thing. Undefined: there was none. */
export interface StateChange extends Thing {
  readonly before: unknown;
  readonly after: unknown;
}

/** What events did, and how the things that they changed went on. */
export interface EventChanges {
  readonly of: (eventId: number) => readonly StateChange[];
  /** The state of a thing after an event. */
  readonly stateAfter: (thing: Thing, eventId: number) => unknown;
  /** What later events did to the thing. */
  readonly laterThan: (
    eventId: number,
    thing: Thing,
  ) => readonly (StateChange & { readonly eventId: number })[];
  /** Why the states before or after an event are unknown. */
  readonly gapAt: (eventId: number) => 'beginning' | 'import' | 'unknown' | undefined;
}

export const nameOfThing = ({ kind, key, part }: Thing): string =>
  JSON.stringify([kind, key, part]);

/** What belongs to the same thing, so that all of it is needed to decide about one of them. */
const companions: Readonly<Partial<Record<Kind, readonly Kind[]>>> = {
  feature: ['feature-environment'],
  'feature-environment': ['feature'],
  project: ['project-environment', 'project-user', 'project-group'],
  'project-environment': ['project'],
  'project-user': ['project'],
  'project-group': ['project'],
  group: ['group-user'],
  'group-user': ['group'],
};

export const withCompanions = (subjects: readonly Subject[]): Subject[] => {
  const all = subjects.flatMap(({ kind, key }) => [
    { kind, key },
    ...(companions[kind] ?? []).map((other) => ({ kind: other, key })),
  ]);
  return [...new Map(all.map((subject) => [JSON.stringify(subject), subject])).values()];
};

/** The states that these had since an event. */
async function listSpansSince(
  db: Db,
  subjects: readonly Subject[],
  eventId: number,
): Promise<StateSpan[]> {
  const { rows } = await sql<StateSpan>`
    select states.kind, states.key, states.part, states.state,
      states.from_id::float8 as "fromId", states.to_id::float8 as "toId"
    from json_to_recordset(${JSON.stringify(subjects)}::json) subject(kind text, key text)
    join history_states states on states.kind = subject.kind and states.key = subject.key
    where states.to_id is null or states.to_id >= ${eventId}`.execute(db);
  return rows;
}

const listGaps = (db: Db) =>
  db.selectFrom('history_gaps').select(['from_id', 'to_id', 'reason']).execute();

/** Reads what these events did, and everything that happened to the same things since. */
export async function readEventChanges(
  db: Db,
  events: readonly LoggedEvent[],
): Promise<EventChanges> {
  const first = Math.min(...events.map(({ id }) => id));
  const { head } = await readLog(db);
  const { rest } = await readRest(db, head);
  const subjects = withCompanions(events.flatMap(subjectsOf));
  const stored = await listSpansSince(db, subjects, first);
  const world = createWorld(
    await listCurrentStates(db, withCompanions([...subjects, ...rest.flatMap(subjectsOf)])),
  );
  for (const event of rest) {
    world.advanceTo(event.id);
    try {
      applyEvent(event, world);
    } catch {
      // The job reports the event, and goes on with the present state.
      throw notReady();
    }
  }
  const { ended, begun } = world.changes(head);
  const endOf = new Map(ended.map((thing) => [nameOfThing(thing), thing.toId]));
  const wanted = new Set(subjects.map(({ kind, key }) => JSON.stringify([kind, key])));
  const spans = new Map<string, StateSpan[]>();
  for (const span of [
    ...stored.map((each) =>
      each.toId === null ? { ...each, toId: endOf.get(nameOfThing(each)) ?? null } : each,
    ),
    ...begun,
  ]) {
    if (!wanted.has(JSON.stringify([span.kind, span.key]))) continue;
    const name = nameOfThing(span);
    spans.set(
      name,
      [...(spans.get(name) ?? []), span].sort((a, b) => a.fromId - b.fromId),
    );
  }
  const gaps = await listGaps(db);
  const isIn = (eventId: number) =>
    gaps.find((gap) => gap.from_id <= eventId && eventId < gap.to_id);
  const changesOf = (list: readonly StateSpan[], eventId: number): StateChange | undefined => {
    const before = list.find(({ toId }) => toId === eventId);
    const after = list.find(({ fromId }) => fromId === eventId);
    const thing = before ?? after;
    if (!thing) return undefined;
    const { kind, key, part } = thing;
    return { kind, key, part, before: before?.state, after: after?.state };
  };
  return {
    of: (eventId) => [...spans.values()].flatMap((list) => changesOf(list, eventId) ?? []),
    stateAfter: (thing, eventId) =>
      spans
        .get(nameOfThing(thing))
        ?.find(({ fromId, toId }) => fromId <= eventId && (toId === null || toId > eventId))?.state,
    laterThan: (eventId, thing) => {
      const list = spans.get(nameOfThing(thing)) ?? [];
      const ids = new Set(list.flatMap(({ fromId, toId }) => (toId ? [fromId, toId] : [fromId])));
      return [...ids]
        .filter((id) => id > eventId)
        .sort((a, b) => a - b)
        .flatMap((id) => {
          const change = changesOf(list, id);
          return change ? [{ ...change, eventId: id }] : [];
        });
    },
    gapAt: (eventId) => (isIn(eventId - 1) ?? isIn(eventId))?.reason,
  };
}

/** How these are now, in the form in which the history holds them. */
export async function readPresentStates(
  db: Db,
  subjects: readonly Subject[],
): Promise<readonly CurrentState[]> {
  const states: CurrentState[] = [];
  const keys = new Map<Kind, string[]>();
  for (const { kind, key } of subjects) keys.set(kind, [...(keys.get(kind) ?? []), key]);
  for (const [kind, own] of keys) {
    const { rows } = await presentOf(kind, own).execute(db);
    states.push(...rows);
  }
  return states;
}
