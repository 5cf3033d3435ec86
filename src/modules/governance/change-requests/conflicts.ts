import { canonical, type Json, type JsonObject } from '../../events/index.ts';
import type { StoredChange } from './content.ts';
import type { Conflict, Resolution } from './request-schema.ts';
import type { CurrentState } from './touched.ts';

const equal = (one: Json | null, other: Json | null) => canonical(one) === canonical(other);

const isObject = (value: Json | null | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const nameOf: Readonly<Record<string, string>> = {
  updateStrategy: 'strategy',
  deleteStrategy: 'strategy',
  reorderStrategy: 'order of the strategies',
  patchVariant: 'variants',
  deleteDependency: 'dependencies',
  updateFeature: 'feature',
  cloneFeatures: 'original',
  updateSegment: 'segment',
  deleteSegment: 'segment',
};

/** Why a feature of a request cannot be changed any more. */
export function featureConflict(
  { feature, featureCreatedAt }: Pick<StoredChange, 'feature' | 'featureCreatedAt'>,
  project: string,
  { features }: CurrentState,
): string | undefined {
  if (feature === null) return undefined;
  const found = features.get(feature);
  if (!found) return 'This feature no longer exists';
  if (found.project !== project) return 'This feature is no longer in this project';
  if (featureCreatedAt && featureCreatedAt.getTime() !== found.createdAt.getTime()) {
    return 'This feature was deleted, and another one has its name';
  }
  return found.archived ? 'This feature is archived' : undefined;
}

/** The changes whose subject is no longer what they are based on. */
export function findConflicts(
  project: string,
  changes: readonly StoredChange[],
  currentState: CurrentState,
): Conflict[] {
  return changes.flatMap((change): Conflict[] => {
    const { id, feature, base, payload, action } = change;
    const about = {
      changeId: id,
      ...(feature !== null && { feature }),
      base,
      proposed: payload,
    };
    const gone = featureConflict(change, project, currentState);
    if (gone) return [{ ...about, reason: gone, current: null, resolutions: ['drop'] }];
    const current = currentState.touched(change);
    const name = nameOf[action];
    if (current === undefined) {
      const reason = `This ${name} no longer exists`;
      return [{ ...about, reason, current: null, resolutions: ['drop'] }];
    }
    if (equal(current, base)) return [];
    const reason = `The ${name} changed after this change was proposed`;
    const resolutions: Resolution[] = [
      ...(isObject(merge(change, current, 'refuse')) ? (['merge'] as const) : []),
      ...(mergeable.has(action) ? (['reapply'] as const) : []),
      'keep',
      'drop',
    ];
    return [{ ...about, reason, current, resolutions }];
  });
}

/** Actions whose payload is an object with the properties of what they touch. */
const mergeable = new Set(['updateStrategy', 'updateSegment', 'updateFeature']);

/**
 * Adopts what others changed in properties that the change leaves alone. Where both changed the same property, `mine`
 * keeps the proposed value and `refuse` returns undefined.
 */
export function merge(
  { action, base, payload }: Pick<StoredChange, 'action' | 'base' | 'payload'>,
  current: Json | null,
  onCollision: 'mine' | 'refuse',
): Json | undefined {
  if (!mergeable.has(action)) return undefined;
  if (!isObject(base) || !isObject(current) || !isObject(payload)) return undefined;
  // An update of a strategy without constraints or variants removes them.
  const mine =
    action === 'updateStrategy' ? { constraints: [], variants: [], ...payload } : payload;
  return mergeObjects(base, current, mine, onCollision);
}

function mergeObjects(
  base: JsonObject,
  current: JsonObject,
  mine: JsonObject,
  onCollision: 'mine' | 'refuse',
): JsonObject | undefined {
  const merged: Record<string, Json> = { ...mine };
  for (const key of new Set([...Object.keys(base), ...Object.keys(current)])) {
    const [was, is, wanted] = [base[key] ?? null, current[key] ?? null, mine[key]];
    if (equal(was, is) || (wanted !== undefined && equal(wanted, is))) continue;
    if (wanted === undefined || equal(wanted, was)) {
      if (current[key] === undefined) delete merged[key];
      else merged[key] = is;
    } else if (isObject(was) && isObject(is) && isObject(wanted)) {
      const inner = mergeObjects(was, is, wanted, onCollision);
      if (!inner) return undefined;
      merged[key] = inner;
    } else if (onCollision === 'refuse') {
      return undefined;
    }
  }
  return merged;
}
