import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../platform/actor.ts';
import { sees } from '../../../platform/permission.ts';
import { createSlices } from '../../../platform/slices.ts';
import { mayReadAccess } from '../../access/project-access/index.ts';
import {
  type CurrentState,
  type EventChanges,
  type Kind,
  type LoggedEvent,
  nameOfThing,
  type StateChange,
  type Thing,
} from '../../history/index.ts';
import type { Revert } from './contract.ts';
import { keepArchived, keepEnabled, keepUsed, leaveOutGone } from './kept.ts';
import { type Clash, takeBack, valueAt } from './merge.ts';
import { reasonOf, restOf } from './reasons.ts';
import {
  type Board,
  type ChangingBoard,
  comparable,
  createBoard,
  isNothing,
  isSame,
  nameThing,
  projectOf,
} from './things.ts';

/** An event of the log that is to be reverted. */
export interface SelectedEvent extends LoggedEvent {
  readonly summary: string;
}

export type Conflict = Revert['conflicts'][number];
type NotReverted = Revert['notReverted'][number];

/** What has to change so that the events have not happened. */
export interface Plan {
  readonly now: Board;
  readonly target: Board;
  /** Which events concern a thing, by its name. */
  readonly eventIds: ReadonlyMap<string, readonly number[]>;
  readonly reverts: readonly SelectedEvent[];
  readonly conflicts: Conflict[];
  readonly notReverted: NotReverted[];
}

/** What a thing is a part of. */
const wholes: Readonly<Partial<Record<Kind, Kind>>> = {
  'feature-environment': 'feature',
  'project-environment': 'project',
  'project-user': 'project',
  'project-group': 'project',
  'group-user': 'group',
};

const wholeOf = ({ kind, key }: Thing): Thing | undefined => {
  const whole = wholes[kind];
  return whole && { kind: whole, key, part: '' };
};

const shown: Readonly<Partial<Record<Kind, string>>> = {
  feature: 'Feature',
  project: 'Project',
  group: 'Group',
  role: 'Role',
  account: 'Account',
  environment: 'Environment',
  'context-field': 'Context field',
};

const createdAtOf = (state: unknown): unknown =>
  (state as { readonly createdAt?: unknown } | undefined)?.createdAt;

/** The later events that changed the property. */
const maxEventIds = 20;

/** Whole things first, so that what they had finds them. */
const wholeFirst = (a: StateChange, b: StateChange): number =>
  Number(wholes[a.kind] !== undefined) - Number(wholes[b.kind] !== undefined);

const isAccess = ({ kind }: Thing): boolean => kind === 'project-user' || kind === 'project-group';

interface Background {
  readonly changes: EventChanges;
  readonly present: readonly CurrentState[];
  /** Who is going to read the plan. The actor may be allowed more, to find out what is missing. */
  readonly reader: Actor;
}

export async function planRevert(
  actor: Actor,
  events: readonly SelectedEvent[],
  { changes, present, reader }: Background,
): Promise<Plan> {
  const now = createBoard(present);
  const target: ChangingBoard = createBoard(present);
  const selected = new Set(events.map(({ id }) => id));
  const eventIds = new Map<string, number[]>();
  const reverts: SelectedEvent[] = [];
  const conflicts: Conflict[] = [];
  const notReverted: NotReverted[] = [];

  /** The thing, or what it is part of, is another one by now, or the actor may not know how it is. */
  const obstacleTo = (change: StateChange, { id }: SelectedEvent): string | undefined => {
    const whole = wholeOf(change) ?? change;
    const what = `${shown[whole.kind] ?? 'This'} '${whole.key}'`;
    const then = changes.stateAfter(whole, id) ?? changes.stateAfter(whole, id - 1);
    const current = target.find(whole);
    const projects = [then, changes.stateAfter(whole, id - 1), current].map((state) =>
      projectOf(whole, state, target),
    );
    if (projects.some((project) => project !== undefined && !sees(actor, project))) {
      return `${what} belongs or belonged to a project that you can't see`;
    }
    if (isAccess(change) && !mayReadAccess.some((each) => reader.may(each, change.key))) {
      return `You can't see who has access to the project '${change.key}'`;
    }
    const isAnother = current !== undefined && createdAtOf(current) !== createdAtOf(then);
    if (isAnother && then !== undefined) {
      return `${what} was deleted later, and there is another one with this name`;
    }
    // The later one may have been private, or have had other members.
    const isEarlier =
      whole.kind === 'project' &&
      current === undefined &&
      changes.stateAfter(whole, id) === undefined &&
      changes.laterThan(id, whole).length > 0;
    if (isEarlier) return `${what} existed again later and was deleted again. Revert that deletion`;
    const isWhole = whole === change;
    const wasNothing = isNothing(change, comparable(change.kind, change.before));
    if (current === undefined && !wasNothing && !(isWhole && change.after === undefined)) {
      return `${what} was deleted later. Revert that first, or together with this`;
    }
    return undefined;
  };

  const conflictOf = (change: StateChange, event: SelectedEvent, clash: Clash): Conflict => {
    const { path, wanted, after, now: value } = clash;
    const responsible = changes
      .laterThan(event.id, change)
      .filter((later) => !selected.has(later.eventId))
      .filter(
        (later) =>
          !isDeepStrictEqual(
            valueAt(comparable(change.kind, later.before), path),
            valueAt(comparable(change.kind, later.after), path),
          ),
      );
    return {
      ...nameThing(change, [
        [target.find(change), target],
        [comparable(change.kind, change.before), target],
        [comparable(change.kind, change.after), target],
      ]),
      field: path.join('.'),
      // biome-ignore lint/suspicious/noThenProperty: the name in the response; nothing awaits it
      ...(wanted !== undefined && { then: wanted }),
      ...(after !== undefined && { after }),
      ...(value !== undefined && { now: value }),
      eventIds: responsible.slice(-maxEventIds).map(({ eventId }) => eventId),
      reason: value === undefined ? 'It was removed later' : 'It was changed again later',
    };
  };

  /** Returns why the event isn't reverted. */
  const takeBackEvent = (event: SelectedEvent): string | undefined => {
    const gap = changes.gapAt(event.id);
    const own = changes.of(event.id).toSorted(wholeFirst);
    const reason = reasonOf(event, gap, own);
    if (reason !== undefined) return reason;
    let isReverted = false;
    let clashed = false;
    for (const change of own) {
      const obstacle = obstacleTo(change, event);
      if (obstacle !== undefined) return obstacle;
      const current = target.find(change);
      const sides = {
        before: comparable(change.kind, change.before),
        after: comparable(change.kind, change.after),
      };
      const { value, clashes } = takeBack(sides, current);
      conflicts.push(...clashes.map((clash) => conflictOf(change, event, clash)));
      clashed ||= clashes.length > 0;
      if (isSame(change.kind, value, current)) continue;
      target.set(change, isNothing(change, value) ? undefined : value);
      const name = nameOfThing(change);
      eventIds.set(name, [event.id, ...(eventIds.get(name) ?? [])]);
      isReverted = true;
    }
    if (isReverted) reverts.unshift(event);
    else if (clashed) return 'Everything that it changed was changed again later';
    else return 'Nothing is left to revert: everything is already as it was before this event';
    return undefined;
  };

  const slices = createSlices();
  for (const event of events.toSorted((a, b) => b.id - a.id)) {
    if (slices.isOver()) await slices.pause();
    const reason = takeBackEvent(event) ?? restOf(event);
    if (reason !== undefined) {
      notReverted.unshift({ eventId: event.id, type: event.type, reason });
    }
  }
  const kept = { now, target, conflicts, changes, eventIds, reader };
  keepUsed(kept);
  keepArchived(kept);
  keepEnabled(kept);
  leaveOutGone(kept);
  return { now, target, eventIds, reverts, conflicts, notReverted };
}
