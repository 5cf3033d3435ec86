import type { Actor } from '../../../platform/actor.ts';
import { mayReadAccess } from '../../access/project-access/index.ts';
import {
  type EventChanges,
  type FeatureEnvironmentState,
  type Kind,
  nameOfThing,
  type States,
  type Thing,
} from '../../history/index.ts';
import { withoutGone } from './holders.ts';
import type { Conflict } from './plan.ts';
import {
  type Board,
  type ChangingBoard,
  changedThings,
  comparable,
  isNothing,
  nameThing,
} from './things.ts';

/** What the merged events would lead to. The functions of this file keep what no operation can change like that. */
interface Planned {
  readonly now: Board;
  readonly target: ChangingBoard;
  readonly conflicts: Conflict[];
  readonly changes: EventChanges;
  /** Which events concern a thing, by its name. */
  readonly eventIds: ReadonlyMap<string, readonly number[]>;
  /** Who is going to read the plan. */
  readonly reader: Actor;
}

const setState = (board: ChangingBoard, thing: Thing, state: unknown): void =>
  board.set(thing, isNothing(thing, state) ? undefined : state);

interface Part {
  readonly kind: Kind;
  readonly field: string;
  readonly reason: string;
}

/** What a thing gets after its creation, and would lose. */
const partsOfWholes: Readonly<Partial<Record<Kind, readonly Part[]>>> = {
  feature: [
    {
      kind: 'feature-environment',
      field: 'environments',
      reason: 'It was enabled or got strategies or variants later. Revert that, too',
    },
  ],
  project: [
    {
      kind: 'project-environment',
      field: 'environments',
      reason: 'Its environments were changed later. Revert that, too',
    },
    {
      kind: 'project-user',
      field: 'users',
      reason: 'Users got roles in it later. Revert that, too',
    },
    {
      kind: 'project-group',
      field: 'groups',
      reason: 'Groups got roles in it later. Revert that, too',
    },
  ],
  group: [{ kind: 'group-user', field: 'users', reason: 'It got members later. Revert that, too' }],
};

/** Everyone who sees a project sees its events, but not who has access to it. Only admins see the members of groups. */
function isShown({ kind }: Part, { key }: Thing, { may }: Actor): boolean {
  if (kind === 'group-user') return may('ADMIN');
  const isAccess = kind === 'project-user' || kind === 'project-group';
  return !isAccess || mayReadAccess.some((permission) => may(permission, key));
}

/** Something that is still used can't be deleted by reverting its creation alone. */
export function keepUsed({ now, target, conflicts, reader }: Planned): void {
  for (const thing of now.things()) {
    const parts = partsOfWholes[thing.kind];
    if (!parts || target.find(thing) !== undefined) continue;
    const used = parts
      .map((part) => ({ ...part, states: target.partsOf(part.kind, thing.key) }))
      .filter(({ states }) => states.size > 0);
    if (used.length === 0) continue;
    const state = now.find(thing);
    target.set(thing, state);
    for (const { kind } of parts) {
      for (const [part, own] of now.partsOf(kind, thing.key)) {
        target.set({ kind, key: thing.key, part }, own);
      }
    }
    for (const { states, ...part } of used) {
      conflicts.push({
        ...nameThing(thing, [[state, now]]),
        field: part.field,
        ...(isShown(part, thing, reader) && { now: Object.fromEntries(states) }),
        eventIds: [],
        reason: part.reason,
      });
    }
  }
}

const isArchived = (state: unknown): boolean =>
  (state as States['feature'] | undefined)?.archivedAt != null;

/** An archived feature can't be changed. */
export function keepArchived({ now, target, conflicts, changes }: Planned): void {
  const changed = new Set(
    changedThings(now, target)
      .filter(({ kind }) => kind === 'feature' || kind === 'feature-environment')
      .map(({ key }) => key),
  );
  for (const key of changed) {
    const thing: Thing = { kind: 'feature', key, part: '' };
    const [state, wanted] = [now.get('feature', key), target.get('feature', key)];
    if (!state?.archived || !wanted?.archived) continue;
    target.set(thing, state);
    const parts = [now, target].flatMap((board) => [
      ...board.partsOf('feature-environment', key).keys(),
    ]);
    for (const part of parts) {
      const own: Thing = { kind: 'feature-environment', key, part };
      setState(target, own, now.find(own));
    }
    const archiving = changes
      .laterThan(0, thing)
      .findLast(({ before, after }) => isArchived(after) && !isArchived(before));
    conflicts.push({
      ...nameThing(thing, [[state, now]]),
      ...{ field: 'archived', now: true },
      eventIds: archiving ? [archiving.eventId] : [],
      reason: 'Revive it first, because it was archived',
    });
  }
}

const hasEnabled = ({ strategies }: FeatureEnvironmentState): boolean =>
  strategies.some(({ disabled }) => !disabled);

const isEnabled = ({ enabled }: FeatureEnvironmentState): boolean => enabled;

const stateIn = (state: unknown) =>
  comparable('feature-environment', state) as FeatureEnvironmentState;

/** A feature without an enabled strategy is disabled, and one that is enabled gets a strategy. */
export function keepEnabled({ now, target, conflicts, changes, eventIds }: Planned): void {
  for (const thing of changedThings(now, target)) {
    if (thing.kind !== 'feature-environment') continue;
    const [is, wanted] = [now, target].map((board) => board.find(thing)) as [
      FeatureEnvironmentState,
      FeatureEnvironmentState,
    ];
    if (!wanted.enabled || hasEnabled(wanted) || (is.enabled && !hasEnabled(is))) continue;
    const kept = is.enabled
      ? { ...wanted, strategies: is.strategies }
      : { ...wanted, enabled: false };
    setState(target, thing, kept);
    const first = Math.min(...(eventIds.get(nameOfThing(thing)) ?? [0]));
    const [has, reason] = is.enabled
      ? [
          isEnabled,
          'Disable it or add a strategy first, because it is enabled and would lose its last enabled strategy',
        ]
      : [hasEnabled, 'Add a strategy first, because the last enabled one was removed or disabled'];
    const responsible = changes
      .laterThan(first, thing)
      .findLast(({ before, after }) => has(stateIn(before)) !== has(stateIn(after)));
    conflicts.push({
      ...nameThing(thing, [[wanted, target]]),
      field: 'enabled',
      // biome-ignore lint/suspicious/noThenProperty: the name in the response; nothing awaits it
      then: !is.enabled,
      now: is.enabled,
      eventIds: responsible ? [responsible.eventId] : [],
      reason,
    });
  }
}

/** Accounts, groups, and roles that were deleted don't come back by what refers to them. */
export function leaveOutGone({ now, target, conflicts }: Planned): void {
  for (const thing of changedThings(now, target)) {
    const [wanted, is] = [target.find(thing), now.find(thing)];
    const { state, gone } = withoutGone(
      thing,
      wanted,
      is,
      ({ kind, key }) => (target.get(kind, key) ?? now.get(kind, key)) !== undefined,
    );
    setState(target, thing, state);
    for (const { field, wanted: then, now: value, reason } of gone) {
      conflicts.push({
        ...nameThing(thing, [[wanted, target]]),
        field,
        then,
        ...(value !== undefined && { now: value }),
        eventIds: [],
        reason,
      });
    }
  }
}
