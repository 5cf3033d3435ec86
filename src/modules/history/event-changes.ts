import type { Db } from '../../platform/db/database.ts';
import { badData } from '../../platform/errors.ts';
import { readLog } from '../events/index.ts';
import { notReady, readRest } from './as-of.ts';
import { applyEvent, type LoggedEvent, subjectsOf } from './fold.ts';
import { presentOf } from './present.ts';
import { listCurrentStates } from './queries.ts';
import { listSpansSince, maxSpans, readStates, type StoredSpan } from './spans.ts';
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

const nameOfSubject = ({ kind, key }: Subject): string => JSON.stringify([kind, key]);

/** Which events concern each of the subjects and their companions, in the order of the events. */
function eventsBySubject(events: readonly LoggedEvent[]): ReadonlyMap<string, readonly number[]> {
  const all = new Map<string, number[]>();
  for (const event of events) {
    for (const subject of withCompanions(subjectsOf(event))) {
      const name = nameOfSubject(subject);
      all.set(name, [...(all.get(name) ?? []), event.id]);
    }
  }
  return all;
}

/** So many later states of each thing say who changed it again. */
const laterSpans = 20;

const tooMuch = () =>
  badData([
    { path: '/body', message: '/body selects events whose states are too large. Select fewer' },
  ]);

/** Whether one of the events happened during the span, or began or ended it. */
function touches({ fromId, toId }: StoredSpan, eventIds: readonly number[]): boolean {
  let [low, high] = [0, eventIds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((eventIds[middle] as number) < fromId) low = middle + 1;
    else high = middle;
  }
  const next = eventIds[low];
  return next !== undefined && (toId === null || next <= toId);
}

/** The states that the events led to or ended, those that were there, and the newest ones. */
async function listSpansAround(
  db: Db,
  subjects: readonly Subject[],
  events: readonly LoggedEvent[],
): Promise<StateSpan[]> {
  const own = eventsBySubject(events);
  const spans = await listSpansSince(db, subjects, Math.min(...events.map(({ id }) => id)));
  if (spans.length > maxSpans) throw tooMuch();
  const newest = new Map<string, number>();
  const wanted = spans.filter((span) => {
    const name = nameOfThing(span);
    const place = newest.get(name) ?? 0;
    newest.set(name, place + 1);
    return place < laterSpans || touches(span, own.get(nameOfSubject(span)) ?? []);
  });
  const states = await readStates(db, wanted);
  if (!states) throw tooMuch();
  return states;
}

const listGaps = (db: Db) =>
  db.selectFrom('history_gaps').select(['from_id', 'to_id', 'reason']).execute();

/** Reads what these events did, and everything that happened to the same things since. */
export async function readEventChanges(
  db: Db,
  events: readonly LoggedEvent[],
): Promise<EventChanges> {
  const { head } = await readLog(db);
  const { rest } = await readRest(db, head);
  const subjects = withCompanions(events.flatMap(subjectsOf));
  const stored = await listSpansAround(db, subjects, events);
  const world = createWorld(
    rest.length === 0 ? [] : await listCurrentStates(db, withCompanions(rest.flatMap(subjectsOf))),
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
    const list = spans.get(name);
    if (list) list.push(span);
    else spans.set(name, [span]);
  }
  for (const list of spans.values()) list.sort((a, b) => a.fromId - b.fromId);
  const namesByEvent = new Map<number, Set<string>>();
  for (const [name, list] of spans) {
    for (const id of list.flatMap(({ fromId, toId }) => (toId ? [fromId, toId] : [fromId]))) {
      namesByEvent.set(id, (namesByEvent.get(id) ?? new Set()).add(name));
    }
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
    of: (eventId) =>
      [...(namesByEvent.get(eventId) ?? [])].flatMap(
        (name) => changesOf(spans.get(name) ?? [], eventId) ?? [],
      ),
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
  const found: (readonly CurrentState[])[] = [];
  const keys = new Map<Kind, string[]>();
  for (const { kind, key } of subjects) keys.set(kind, [...(keys.get(kind) ?? []), key]);
  for (const [kind, own] of keys) {
    found.push((await presentOf(kind, own).execute(db)).rows);
  }
  return found.flat();
}
