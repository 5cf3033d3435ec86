import { fieldChange, joinAnd, joinOr, percent } from '../../ui/format.ts';
import { isSame } from '../../ui/is-same.ts';
import {
  type Constraint,
  constraintPieces,
  itemsOf,
  plain,
  rolloutOf,
  type SegmentNames,
  type StrategyContent,
  strategySentence,
  type Variant,
} from './strategy-sentence.ts';

/** A part of a strategy that a page can mark. */
export type Part =
  | 'type'
  | 'title'
  | 'disabled'
  | 'rollout'
  | 'stickiness'
  | 'parameters'
  | 'segments'
  | 'constraints'
  | 'variants';

/** One line of a list of changes. */
export interface Detail {
  /** Which sign is drawn before it. */
  readonly kind: 'added' | 'removed' | 'changed';
  /** In words, with → between before and after. */
  readonly words: string;
}

export interface Difference extends Detail {
  readonly part: Part;
}

const added = (words: string): Detail => ({ kind: 'added', words });
const removed = (words: string): Detail => ({ kind: 'removed', words });
const changed = (words: string): Detail => ({ kind: 'changed', words });

/** So many items are named before "7 more". */
const named = 5;

const some = (items: readonly string[]): string => joinAnd(items, named);

/** `added DK, removed NO` */
function listWords(before: readonly string[], after: readonly string[]): string {
  const [old, current] = [new Set(before), new Set(after)];
  const more = after.filter((item) => !old.has(item));
  const gone = before.filter((item) => !current.has(item));
  if (more.length + gone.length === 0) return 'reordered';
  return [
    ...(more.length > 0 ? [`added ${some(more)}`] : []),
    ...(gone.length > 0 ? [`removed ${some(gone)}`] : []),
  ].join(', ');
}

const quoted = (text: string | null | undefined) => (text ? `“${text}”` : 'none');

/** What is left of a list, without what is in the other, one for one. */
function without<T>(list: readonly T[], other: readonly T[]): T[] {
  const rest = [...other];
  return list.filter((item) => {
    const place = rest.findIndex((each) => isSame(each, item));
    if (place === -1) return true;
    rest.splice(place, 1);
    return false;
  });
}

function constraintDetails(
  before: readonly Constraint[],
  after: readonly Constraint[],
): readonly Detail[] {
  const gone = without(before, after);
  const more = without(after, before);
  if (gone.length + more.length === 0) return [changed('constraints reordered')];
  const isFor = (constraint: Constraint) => (other: Constraint) =>
    other.contextName === constraint.contextName;
  const details = gone.map((constraint) => {
    const exact = more.findIndex(
      (other) => isFor(constraint)(other) && other.operator === constraint.operator,
    );
    const place = exact === -1 ? more.findIndex(isFor(constraint)) : exact;
    const [other] = place === -1 ? [] : more.splice(place, 1);
    if (!other) return removed(`constraint removed: ${plain(constraintPieces(constraint))}`);
    return changed(
      isSame({ ...constraint, values: [] }, { ...other, values: [] })
        ? `${constraint.contextName}: ${listWords(constraint.values, other.values)}`
        : `${plain(constraintPieces(constraint))} → ${plain(constraintPieces(other).slice(1))}`,
    );
  });
  return [
    ...details,
    ...more.map((constraint) => added(`constraint added: ${plain(constraintPieces(constraint))}`)),
  ];
}

export const percentOf = (weight: number): string => percent(weight, 1000);

const payloadText = ({ payload }: Variant) =>
  payload ? `${payload.type} ${payload.value.slice(0, 40)}` : 'none';

/** Variants of strategies have no overrides. */
interface MaybeOverridden extends Variant {
  readonly overrides?: readonly {
    readonly contextName: string;
    readonly values: readonly string[];
  }[];
}

const overrideTexts = ({ overrides = [] }: MaybeOverridden): string[] =>
  overrides.map(({ contextName, values }) => `${contextName} is ${joinOr(values)}`);

/** Who gets a variant whatever the weights say, as a change. */
function overrideWords(before: MaybeOverridden, after: MaybeOverridden): string[] {
  const [was, is] = [overrideTexts(before), overrideTexts(after)];
  return [
    ...is.filter((text) => !was.includes(text)).map((text) => `override added: ${text}`),
    ...was.filter((text) => !is.includes(text)).map((text) => `override removed: ${text}`),
  ];
}

export function variantDetails(
  before: readonly MaybeOverridden[],
  after: readonly MaybeOverridden[],
): readonly Detail[] {
  const old = new Map(before.map((variant) => [variant.name, variant]));
  const current = new Set(after.map((variant) => variant.name));
  const details = after.flatMap((variant) => {
    const was = old.get(variant.name);
    if (!was) {
      const always = overrideWords({ ...variant, overrides: [] }, variant);
      const words = `variant ${variant.name} added (${percentOf(variant.weight)})`;
      return [added([words, ...always].join(', '))];
    }
    if (isSame(was, variant)) return [];
    const changes = [
      ...(was.weight === variant.weight
        ? []
        : [`${percentOf(was.weight)} → ${percentOf(variant.weight)}`]),
      ...(was.weightType === variant.weightType
        ? []
        : [variant.weightType === 'fix' ? 'fixed weight' : 'variable weight']),
      ...(isSame(was.payload, variant.payload)
        ? []
        : [fieldChange('payload', payloadText(was), payloadText(variant))]),
      ...(was.stickiness === variant.stickiness
        ? []
        : [fieldChange('stickiness', was.stickiness, variant.stickiness)]),
      ...overrideWords(was, variant),
    ];
    return [changed(`variant ${variant.name}: ${changes.join(', ') || 'overrides reordered'}`)];
  });
  return [
    ...details,
    ...before
      .filter((variant) => !current.has(variant.name))
      .map((variant) => removed(`variant ${variant.name} removed`)),
  ];
}

const listParameters = new Set(['userIds', 'IPs', 'hostNames']);

function parameterDifferences(before: StrategyContent, after: StrategyContent): Difference[] {
  const keys = new Set([...Object.keys(before.parameters), ...Object.keys(after.parameters)]);
  return [...keys].flatMap((key): Difference[] => {
    const [was, is] = [before.parameters[key], after.parameters[key]];
    if (was === is) return [];
    if (key === 'rollout' || key === 'percentage') {
      const words = fieldChange('rollout', percent(rolloutOf(before)), percent(rolloutOf(after)));
      return [{ part: 'rollout', ...changed(words) }];
    }
    if (key === 'stickiness') {
      const words = fieldChange('stickiness', was ?? 'default', is ?? 'default');
      return [{ part: 'stickiness', ...changed(words) }];
    }
    const words = listParameters.has(key)
      ? `${key}: ${listWords(itemsOf(was), itemsOf(is))}`
      : fieldChange(key === 'groupId' ? 'group ID' : key, was || 'none', is || 'none');
    return [{ part: 'parameters', ...changed(words) }];
  });
}

/** What differs between two strategies, in words. */
export function strategyDifferences(
  before: StrategyContent,
  after: StrategyContent,
  names: SegmentNames,
): Difference[] {
  const found: Difference[] = [];
  const add = (part: Part, ...details: readonly Detail[]) =>
    found.push(...details.map((detail) => ({ part, ...detail })));
  if (before.name !== after.name)
    add('type', changed(fieldChange('type', before.name, after.name)));
  if ((before.title ?? '') !== (after.title ?? '')) {
    add('title', changed(fieldChange('title', quoted(before.title), quoted(after.title))));
  }
  if (before.disabled !== after.disabled) {
    add('disabled', changed(after.disabled ? 'strategy disabled' : 'strategy enabled'));
  }
  found.push(...parameterDifferences(before, after));
  if (!isSame(before.segments.toSorted(), after.segments.toSorted())) {
    const name = (id: number) => names.get(id) ?? `#${id}`;
    const words = listWords(before.segments.map(name), after.segments.map(name));
    add('segments', changed(`segments: ${words}`));
  }
  if (!isSame(before.constraints, after.constraints)) {
    add('constraints', ...constraintDetails(before.constraints, after.constraints));
  }
  if (!isSame(before.variants, after.variants)) {
    add('variants', ...variantDetails(before.variants, after.variants));
  }
  return found;
}

/** How far two strategies are from each other: the fewer differences, the nearer. */
const distance = (one: StrategyContent, other: StrategyContent): number =>
  strategyDifferences(one, other, new Map()).length + (one.name === other.name ? 0 : 10);

/**
 * The strategies of two environments, each with its counterpart. Ids differ between environments, so that the nearest
 * belong together.
 */
export function counterparts<S extends StrategyContent>(
  own: readonly S[],
  others: readonly S[],
): ReadonlyMap<S, S> {
  const near = own
    .flatMap((one, place) =>
      others.map((other, otherPlace) => ({
        one,
        other,
        far: distance(one, other) + Math.abs(place - otherPlace) / 100,
      })),
    )
    .sort((a, b) => a.far - b.far);
  const found = new Map<S, S>();
  const taken = new Set<S>();
  for (const { one, other } of near) {
    if (found.has(one) || taken.has(other)) continue;
    found.set(one, other);
    taken.add(other);
  }
  return found;
}

interface Compared {
  readonly enabled: boolean;
  readonly strategies: readonly StrategyContent[];
}

/** What an environment has that another has not, in words. */
export function environmentDifferences(
  own: Compared,
  reference: Compared,
  names: SegmentNames,
): readonly Detail[] {
  const pairs = counterparts(own.strategies, reference.strategies);
  const met = new Set(pairs.values());
  return [
    ...(own.enabled === reference.enabled
      ? []
      : [changed(own.enabled ? 'enabled here' : 'disabled here')]),
    ...own.strategies.flatMap((strategy): readonly Detail[] => {
      const other = pairs.get(strategy);
      if (!other) return [added(`Only here: ${strategySentence(strategy, names)}`)];
      return strategyDifferences(other, strategy, names);
    }),
    ...reference.strategies
      .filter((strategy) => !met.has(strategy))
      .map((strategy) => removed(`Missing here: ${strategySentence(strategy, names)}`)),
  ];
}
