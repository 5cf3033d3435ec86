import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../../../events/index.ts';
import type { StoredChange } from '../content.ts';
import { partsOf } from './subject.ts';

type Mergeable = Pick<StoredChange, 'action' | 'base' | 'payload'>;

interface Merging {
  /**
   * The payload with what others changed in properties that the change leaves alone. Where both changed the same
   * property, it has the proposed value. Undefined if there are no properties to compare.
   */
  readonly merged?: Json;
  /** Why the two sides cannot be merged without a decision. */
  readonly obstacle?: string;
}

const equal = (one: Json, other: Json) => isDeepStrictEqual(one, other);

export const isObject = (value: Json | null | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges a change with what others changed since it was proposed. */
export function mergeChange(change: Mergeable, current: Json | null): Merging {
  const merge = mergers[change.action] ?? (() => ({ obstacle: 'One side removes it' }));
  return merge(change, current);
}

/** "Both sides changed rollout". Parameters of a strategy are known by their own names. */
function collision(properties: readonly string[]): Pick<Merging, 'obstacle'> {
  const names = new Set(properties.map((name) => name.replace(/^parameters\./, '')));
  return names.size === 0
    ? {}
    : { obstacle: `Both sides changed ${[...names].slice(0, 5).join(', ')}` };
}

/** Actions whose payload has the properties of what they touch. `absent`: what the operation does with absent ones. */
const byProperty =
  (absent: JsonObject = {}) =>
  ({ base, payload }: Mergeable, current: Json | null): Merging => {
    if (!isObject(base) || !isObject(current) || !isObject(payload)) return {};
    const { merged, collisions } = mergeObjects(base, current, { ...absent, ...payload });
    return { merged, ...collision(collisions) };
  };

function mergeObjects(
  base: JsonObject,
  current: JsonObject,
  mine: JsonObject,
  path = '',
): { readonly merged: JsonObject; readonly collisions: readonly string[] } {
  const merged: Record<string, Json> = { ...mine };
  const collisions: string[] = [];
  for (const key of new Set([...Object.keys(base), ...Object.keys(current)])) {
    const [was, is, wanted] = [base[key] ?? null, current[key] ?? null, mine[key]];
    if (equal(was, is) || (wanted !== undefined && equal(wanted, is))) continue;
    if (wanted === undefined || equal(wanted, was)) {
      if (current[key] === undefined) delete merged[key];
      else merged[key] = is;
    } else if (isObject(was) && isObject(is) && isObject(wanted)) {
      const inner = mergeObjects(was, is, wanted, `${path}${key}.`);
      merged[key] = inner.merged;
      collisions.push(...inner.collisions);
    } else {
      collisions.push(path + key);
    }
  }
  return { merged, collisions };
}

type Variants = readonly JsonObject[];

/** By name, without the weights that result from those of the other variants. */
const byVariantName = (variants: Variants): JsonObject =>
  Object.fromEntries(
    variants.map(({ weight, ...variant }) => [
      String(variant.name),
      variant.weightType === 'fix' ? { ...variant, weight: weight ?? 0 } : variant,
    ]),
  );

/** Variants of one list that both sides changed are merged like the properties of an object. */
function mergeVariants({ base, payload }: Mergeable, current: Json | null): Merging {
  const listOf = (value: Json | null) => (value as { variants?: Variants } | null)?.variants ?? [];
  const [was, is, mine] = [base, current, payload].map((value) => byVariantName(listOf(value)));
  const { merged, collisions } = mergeObjects(was ?? {}, is ?? {}, {
    // A variant that the proposal leaves out is removed by it.
    ...Object.fromEntries(Object.keys(was ?? {}).map((name) => [name, null])),
    ...mine,
  });
  const variants = Object.values(merged).filter(isObject);
  // The operation distributes what the fixed weights leave.
  const weighted = variants.map((variant) => ({ weight: 0, ...variant }));
  return { merged: { variants: weighted }, ...collision(collisions) };
}

/** The proposed order, without strategies that are gone. New ones keep their place. */
function mergeOrder({ base, payload }: Mergeable, current: Json | null): Merging {
  const [was, is] = [base as string[], current as string[]];
  const merged = (payload as { readonly id: string; readonly sortOrder: number }[]).filter(
    ({ id }) => is.includes(id),
  );
  const isSameOrder = equal(
    was.filter((id) => is.includes(id)),
    is.filter((id) => was.includes(id)),
  );
  return { merged, ...(!isSameOrder && { obstacle: 'Both sides changed the order' }) };
}

/** Each part of a change set is merged on its own. */
function mergeParts({ base, payload, action }: Mergeable, current: Json | null): Merging {
  const [was, is] = [base as Json[], current as Json[]];
  const parts = partsOf({ action, payload });
  const mergings = parts.map((part, index): Merging => {
    const own = { ...part, base: was[index] ?? null } as Mergeable;
    const now = is[index] ?? null;
    return equal(own.base, now) ? { merged: own.payload ?? {} } : mergeChange(own, now);
  });
  const { obstacle } = mergings.find((each) => each.obstacle !== undefined) ?? {};
  if (mergings.some(({ merged }) => merged === undefined)) return { ...(obstacle && { obstacle }) };
  const changes = parts.map((part, index) => ({ ...part, payload: mergings[index]?.merged }));
  return { merged: { changes } as JsonObject, ...(obstacle && { obstacle }) };
}

const mergers: Readonly<Record<string, (change: Mergeable, current: Json | null) => Merging>> = {
  // An update of a strategy without constraints or variants removes them.
  updateStrategy: byProperty({ constraints: [], variants: [] }),
  updateSegment: byProperty(),
  updateFeature: byProperty(),
  updateDefaultStrategy: byProperty({
    constraints: [],
    variants: [],
    segments: [],
    parameters: {},
  }),
  patchVariant: mergeVariants,
  reorderStrategy: mergeOrder,
  saveFeatureChanges: mergeParts,
  // Parts that replace nothing.
  addStrategy: ({ payload }) => ({ merged: payload }),
  updateEnabled: ({ payload }) => ({ merged: payload }),
  updateVariants: () => ({ obstacle: 'It replaces the variants of several environments' }),
};
