import { isDeepStrictEqual } from 'node:util';
import { isEvaluatedAlike } from './evaluated.ts';
import type { Kind, States, Subject, World } from './states.ts';

/** A thing of which the history has states. */
export interface Thing extends Subject {
  readonly part: string;
}

export interface CurrentState extends Thing {
  readonly state: unknown;
  /** The event since which evaluations give the same results. */
  readonly evaluatedFromId?: number;
}

/** A state with the event that led to it and the one that ended it, if there was one. */
export interface StateSpan extends CurrentState {
  readonly fromId: number;
  readonly toId: number | null;
}

interface Step {
  readonly fromId: number;
  readonly state: unknown;
}

export interface Changes {
  /** The states that were current before end at these events. */
  readonly ended: readonly (Thing & { readonly toId: number })[];
  readonly begun: readonly StateSpan[];
}

interface ChangingWorld extends World {
  /** Changes from now on are those of this event. */
  readonly advanceTo: (eventId: number) => void;
  /** The changes of events up to this one. */
  readonly changes: (upTo: number) => Changes;
  /**
   * The event since which evaluations with a thing give the same results, of all that have been applied to the history.
   */
  readonly evaluatedFromId: (kind: Kind, key: string, part?: string) => number | undefined;
  /** All states of a kind. */
  readonly list: <K extends Kind>(kind: K) => readonly StateOf<K>[];
}

interface StateOf<K extends Kind> extends Thing {
  readonly state: States[K];
}

const keyOf = (...names: readonly string[]): string => JSON.stringify(names);

/** By kind, key, and part. */
type ByThing<Value> = Map<Kind, Map<string, Map<string, Value>>>;

function partsIn<Value>(things: ByThing<Value>, kind: Kind, key: string): Map<string, Value> {
  const subjects = things.get(kind) ?? new Map<string, Map<string, Value>>();
  things.set(kind, subjects);
  const parts = subjects.get(key) ?? new Map<string, Value>();
  subjects.set(key, parts);
  return parts;
}

/** Adds to each step since which event evaluations give the same results. */
function withEvaluated(
  kind: Kind,
  before: Pick<CurrentState, 'state' | 'evaluatedFromId'> | undefined,
  steps: readonly Step[],
): (Step & { readonly evaluatedFromId: number })[] {
  let last = before;
  return steps.map(({ fromId, state }) => {
    const isAlike = last && isEvaluatedAlike(kind, last.state, state);
    const evaluatedFromId = (isAlike ? last?.evaluatedFromId : undefined) ?? fromId;
    last = { state, evaluatedFromId };
    return { fromId, state, evaluatedFromId };
  });
}

/** The states that events are applied to, in memory. It remembers every change with its event. */
export function createWorld(current: readonly CurrentState[]): ChangingWorld {
  const states: ByThing<unknown> = new Map();
  const before: ByThing<CurrentState> = new Map();
  const steps = new Map<string, { readonly thing: Thing; readonly list: Step[] }>();
  let eventId = 0;

  const changingParts = (kind: Kind, key: string) => partsIn(states, kind, key);
  for (const each of current) {
    changingParts(each.kind, each.key).set(each.part, each.state);
    partsIn(before, each.kind, each.key).set(each.part, each);
  }

  const remember = (thing: Thing, state: unknown): void => {
    const name = keyOf(thing.kind, thing.key, thing.part);
    const list: Step[] = steps.get(name)?.list ?? [];
    // An event that changes a thing twice leads to one state.
    if (list.at(-1)?.fromId === eventId) list.pop();
    list.push({ fromId: eventId, state });
    steps.set(name, { thing, list });
  };

  return {
    find: (kind, key, part = '') => states.get(kind)?.get(key)?.get(part) as never,
    partsOf: (kind, key) => new Map(states.get(kind)?.get(key)) as never,
    set: (kind, key, part, state) => {
      const parts = changingParts(kind, key);
      if (isDeepStrictEqual(parts.get(part), state)) return;
      if (state === undefined) parts.delete(part);
      else parts.set(part, state);
      remember({ kind, key, part }, state);
    },
    list: (kind) =>
      [...(states.get(kind) ?? [])].flatMap(([key, parts]) =>
        [...parts].map(([part, state]) => ({ kind, key, part, state: state as never })),
      ),
    evaluatedFromId: (kind, key, part = '') =>
      before.get(kind)?.get(key)?.get(part)?.evaluatedFromId,
    advanceTo: (id) => {
      eventId = id;
    },
    changes: (upTo) => {
      const all = [...steps.values()].map(({ thing, list }) => ({
        thing,
        list: withEvaluated(
          thing.kind,
          before.get(thing.kind)?.get(thing.key)?.get(thing.part),
          list.filter(({ fromId }) => fromId <= upTo),
        ),
      }));
      return {
        ended: all.flatMap(({ thing, list: [first] }) =>
          first ? [{ ...thing, toId: first.fromId }] : [],
        ),
        begun: all.flatMap(({ thing, list }) =>
          list.flatMap(({ state, ...step }, index) =>
            state === undefined
              ? []
              : [{ ...thing, ...step, toId: list[index + 1]?.fromId ?? null, state }],
          ),
        ),
      };
    },
  };
}
