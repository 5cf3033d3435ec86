import { fieldChange, joinAnd, joinOr, percent } from '../../ui/format.ts';
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

/** Whether two values are the same JSON, whatever the order of their fields. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return false;
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const present = (value: object) =>
    Object.entries(value).filter(([, each]) => each !== undefined) as [string, unknown][];
  const [mine, theirs] = [present(one), new Map(present(other))];
  return (
    mine.length === theirs.size &&
    mine.every(([key, each]) => theirs.has(key) && isSame(each, theirs.get(key)))
  );
}

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

export interface Difference {
  readonly part: Part;
  /** In words, with → between before and after. */
  readonly words: string;
}

/** So many items are named before "7 more". */
const named = 5;

const some = (items: readonly string[]): string => joinAnd(items, named);

/** `added DK, removed NO` */
function listWords(before: readonly string[], after: readonly string[]): string {
  const [old, current] = [new Set(before), new Set(after)];
  const added = after.filter((item) => !old.has(item));
  const removed = before.filter((item) => !current.has(item));
  if (added.length + removed.length === 0) return 'reordered';
  return [
    ...(added.length > 0 ? [`added ${some(added)}`] : []),
    ...(removed.length > 0 ? [`removed ${some(removed)}`] : []),
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

function constraintWords(before: readonly Constraint[], after: readonly Constraint[]): string[] {
  const removed = without(before, after);
  const added = without(after, before);
  if (removed.length + added.length === 0) return ['constraints reordered'];
  const words: string[] = [];
  const isFor = (constraint: Constraint) => (other: Constraint) =>
    other.contextName === constraint.contextName;
  for (const constraint of removed) {
    const exact = added.findIndex(
      (other) => isFor(constraint)(other) && other.operator === constraint.operator,
    );
    const place = exact === -1 ? added.findIndex(isFor(constraint)) : exact;
    const [other] = place === -1 ? [] : added.splice(place, 1);
    if (!other) words.push(`constraint removed: ${plain(constraintPieces(constraint))}`);
    else if (isSame({ ...constraint, values: [] }, { ...other, values: [] })) {
      words.push(`${constraint.contextName}: ${listWords(constraint.values, other.values)}`);
    } else {
      words.push(
        `${plain(constraintPieces(constraint))} → ${plain(constraintPieces(other).slice(1))}`,
      );
    }
  }
  return [
    ...words,
    ...added.map((constraint) => `constraint added: ${plain(constraintPieces(constraint))}`),
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

export function variantWords(
  before: readonly MaybeOverridden[],
  after: readonly MaybeOverridden[],
): string[] {
  const old = new Map(before.map((variant) => [variant.name, variant]));
  const current = new Set(after.map((variant) => variant.name));
  const words = after.flatMap((variant) => {
    const was = old.get(variant.name);
    if (!was) {
      const always = overrideWords({ ...variant, overrides: [] }, variant);
      return [
        [`variant ${variant.name} added (${percentOf(variant.weight)})`, ...always].join(', '),
      ];
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
    return [`variant ${variant.name}: ${changes.join(', ') || 'overrides reordered'}`];
  });
  const removed = before
    .filter((variant) => !current.has(variant.name))
    .map((variant) => `variant ${variant.name} removed`);
  return [...words, ...removed];
}

const listParameters = new Set(['userIds', 'IPs', 'hostNames']);

function parameterDifferences(before: StrategyContent, after: StrategyContent): Difference[] {
  const keys = new Set([...Object.keys(before.parameters), ...Object.keys(after.parameters)]);
  return [...keys].flatMap((key): Difference[] => {
    const [was, is] = [before.parameters[key], after.parameters[key]];
    if (was === is) return [];
    if (key === 'rollout' || key === 'percentage') {
      return [
        {
          part: 'rollout',
          words: fieldChange('rollout', percent(rolloutOf(before)), percent(rolloutOf(after))),
        },
      ];
    }
    if (key === 'stickiness') {
      return [
        { part: 'stickiness', words: fieldChange('stickiness', was ?? 'default', is ?? 'default') },
      ];
    }
    const words = listParameters.has(key)
      ? `${key}: ${listWords(itemsOf(was), itemsOf(is))}`
      : fieldChange(key, was || 'none', is || 'none');
    return [{ part: 'parameters', words }];
  });
}

/** What differs between two strategies, in words. */
export function strategyDifferences(
  before: StrategyContent,
  after: StrategyContent,
  names: SegmentNames,
): Difference[] {
  const found: Difference[] = [];
  if (before.name !== after.name) {
    found.push({ part: 'type', words: fieldChange('type', before.name, after.name) });
  }
  if ((before.title ?? '') !== (after.title ?? '')) {
    found.push({
      part: 'title',
      words: fieldChange('title', quoted(before.title), quoted(after.title)),
    });
  }
  if (before.disabled !== after.disabled) {
    found.push({
      part: 'disabled',
      words: after.disabled ? 'strategy disabled' : 'strategy enabled',
    });
  }
  found.push(...parameterDifferences(before, after));
  if (!isSame(before.segments.toSorted(), after.segments.toSorted())) {
    const name = (id: number) => names.get(id) ?? `#${id}`;
    found.push({
      part: 'segments',
      words: `segments: ${listWords(before.segments.map(name), after.segments.map(name))}`,
    });
  }
  if (!isSame(before.constraints, after.constraints)) {
    found.push(
      ...constraintWords(before.constraints, after.constraints).map((words) => ({
        part: 'constraints' as const,
        words,
      })),
    );
  }
  if (!isSame(before.variants, after.variants)) {
    found.push(
      ...variantWords(before.variants, after.variants).map((words) => ({
        part: 'variants' as const,
        words,
      })),
    );
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
): string[] {
  const pairs = counterparts(own.strategies, reference.strategies);
  const met = new Set(pairs.values());
  return [
    ...(own.enabled === reference.enabled ? [] : [own.enabled ? 'enabled here' : 'disabled here']),
    ...own.strategies.flatMap((strategy) => {
      const other = pairs.get(strategy);
      if (!other) return [`Only here: ${strategySentence(strategy, names)}`];
      return strategyDifferences(other, strategy, names).map(({ words }) => words);
    }),
    ...reference.strategies
      .filter((strategy) => !met.has(strategy))
      .map((strategy) => `Missing here: ${strategySentence(strategy, names)}`),
  ];
}
