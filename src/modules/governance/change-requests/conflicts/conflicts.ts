import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../../../events/index.ts';
import type { StoredChange } from '../content.ts';
import type { Conflict, Resolution } from '../request-schema.ts';
import { additionsIn, withoutAdditions } from './additions.ts';
import { isObject, mergeChange } from './merge.ts';
import type { Subject } from './subject.ts';
import { type CurrentState, madeBy, namesFeatures } from './touched.ts';

const equal = (one: Json | undefined, other: Json | undefined) =>
  isDeepStrictEqual(one ?? null, other ?? null);

const nameOf: Readonly<Record<string, string>> = {
  updateStrategy: 'strategy',
  deleteStrategy: 'strategy',
  reorderStrategy: 'order of the strategies',
  patchVariant: 'variants',
  updateVariants: 'variants',
  deleteDependency: 'dependencies',
  updateFeature: 'feature',
  updateSegment: 'segment',
  deleteSegment: 'segment',
  updateDefaultStrategy: 'default strategy',
  saveFeatureChanges: 'feature',
};

type FeatureChange = Subject & Pick<StoredChange, 'featureCreatedAt'>;

/** Why the features of changes cannot be changed any more. Earlier changes of a request can create and revive them. */
export function findFeatureConflicts<Change extends FeatureChange>(
  project: string,
  changes: readonly Change[],
  currentState: CurrentState,
): ReadonlyMap<Change, string> {
  const made = new Set<string>();
  const reasons = new Map<Change, string>();
  for (const change of changes) {
    const reason = featureConflict(change, project, currentState, made);
    if (reason !== undefined) reasons.set(change, reason);
    for (const name of madeBy(change)) made.add(name);
  }
  return reasons;
}

function featureConflict(
  { feature, featureCreatedAt }: FeatureChange,
  project: string,
  { features }: CurrentState,
  made: ReadonlySet<string>,
): string | undefined {
  if (feature === null) return undefined;
  const found = features.get(feature);
  if (!found) return made.has(feature) ? undefined : 'This feature no longer exists';
  if (found.project !== project) return 'This feature is no longer in this project';
  if (featureCreatedAt && featureCreatedAt.getTime() !== found.createdAt.getTime()) {
    return 'This feature was deleted, and another one has its name now';
  }
  return found.archived && !made.has(feature) ? 'This feature is archived' : undefined;
}

const mostNamed = 3;

/** What happened to the features that a change names, in words. */
function reasonOfNamed(base: JsonObject, current: JsonObject): string {
  const changed = Object.keys(current).filter((name) => !equal(base[name], current[name]));
  const parts = changed.slice(0, mostNamed).map((name) => {
    if ((base[name] ?? null) === null) return `'${name}' was created`;
    return (current[name] ?? null) === null
      ? `'${name}' was archived or deleted`
      : `'${name}' was changed`;
  });
  const more = changed.length - parts.length;
  const all = more > 0 ? [...parts, `${more} more features were changed`] : parts;
  return `After this change was proposed, ${all.join(', ')}`;
}

const hasSamePlace = (base: JsonObject, current: JsonObject): boolean =>
  Object.entries(current).every(([name, state]) => {
    const before = base[name];
    return (
      isObject(state) &&
      isObject(before) &&
      equal(state.project, before.project) &&
      equal(state.archived, before.archived)
    );
  });

/** Whether the change is still possible, with the features that it names as they are now. */
const isPossible = (action: string, base: JsonObject, current: JsonObject): boolean =>
  action === 'importFeatures' ||
  (action === 'moveFeature' && hasSamePlace(base, current)) ||
  (action === 'cloneFeatures' &&
    Object.keys(current).every(
      (name) => ((base[name] ?? null) === null) === ((current[name] ?? null) === null),
    ));

/**
 * Segments that are not in use anywhere can be changed without approval. Those of a default strategy that would no longer
 * be added don't matter.
 */
function segmentConflict(
  { action, usedSegments: base }: StoredChange,
  current: JsonObject | null,
): string | undefined {
  if (!isObject(base)) return undefined;
  if (Object.entries(current ?? {}).every(([key, hash]) => equal(hash, base[key])))
    return undefined;
  const strategy =
    action === 'updateEnabled' ? 'the default strategy that would be added' : 'this strategy';
  return `A segment of ${strategy} changed after this change was proposed`;
}

/**
 * Enabling a feature and adding a strategy conflict with nothing but a change of what they add from the settings of the
 * project: their intention doesn't depend on the previous state. Changes that were proposed before the base had it are
 * not compared.
 */
function additionConflict(base: Json | null, current: Json | null): string | undefined {
  if (!isObject(base) || !isObject(current) || current.defaultStrategy === null) return undefined;
  if (base.defaultStrategy === null) {
    return 'The feature no longer has an enabled strategy, so the default strategy would be added';
  }
  if (equal(base, current)) return undefined;
  return base.defaultStrategy === undefined
    ? "The project's default stickiness, which the added strategy gets, changed after this change was proposed"
    : 'The default strategy that would be added changed after this change was proposed';
}

const findAdditionConflict = (change: StoredChange, current: Json | null): string | undefined => {
  const were = additionsIn(change, change.base);
  return additionsIn(change, current)
    .map(({ state }, index) => additionConflict(were[index]?.state ?? null, state))
    .find((reason) => reason !== undefined);
};

/** The changes whose subject is no longer what they are based on. */
export function findConflicts(
  project: string,
  changes: readonly StoredChange[],
  currentState: CurrentState,
): Conflict[] {
  const touched = currentState.touchedBy(changes);
  const unchangeable = findFeatureConflicts(project, changes, currentState);
  return changes.flatMap((change, index): Conflict[] => {
    const { id, feature, base, payload, action } = change;
    const { state: current, usedSegments } = touched[index] as (typeof touched)[number];
    const about = {
      changeId: id,
      ...(feature !== null && { feature }),
      base,
      proposed: payload,
    };
    const onlyDrop = (reason: string): Conflict[] => [
      { ...about, reason, current: null, resolutions: ['drop'] },
    ];
    const gone = unchangeable.get(change);
    if (gone) return onlyDrop(gone);
    if (current === undefined) {
      return onlyDrop(
        action === 'saveFeatureChanges'
          ? 'A strategy of this change no longer exists'
          : `This ${nameOf[action]} no longer exists`,
      );
    }
    const was = withoutAdditions(change, base);
    const is = withoutAdditions(change, current);
    const isSame = equal(is ?? undefined, was ?? undefined);
    const addition = findAdditionConflict(change, current);
    if (isSame) {
      const reason = addition ?? segmentConflict(change, usedSegments);
      if (reason === undefined) return [];
      return [{ ...about, reason, current, resolutions: ['keep', 'drop'] }];
    }
    if (namesFeatures(action) && isObject(was) && isObject(is)) {
      const reason = reasonOfNamed(was, is);
      if (!isPossible(action, was, is)) return onlyDrop(reason);
      return [{ ...about, reason, current, resolutions: ['keep', 'drop'], unmergeable: noParts }];
    }
    const merging = addition === undefined ? mergeChange(change, current) : { obstacle: addition };
    const resolutions: Resolution[] = [
      ...(merging.merged !== undefined && !merging.obstacle ? (['merge'] as const) : []),
      ...(merging.merged === undefined ? [] : (['reapply'] as const)),
      'keep',
      'drop',
    ];
    return [
      {
        ...about,
        reason: `The ${nameOf[action]} changed after this change was proposed`,
        current,
        resolutions,
        ...(merging.obstacle !== undefined && { unmergeable: merging.obstacle }),
      },
    ];
  });
}

const noParts = 'It changes whole features, not properties';
