import type { ConstraintDefinition, FeatureDefinition } from '../evaluation/index.ts';
import type { DefinedSegment } from '../snapshot/index.ts';

type Strategy = NonNullable<FeatureDefinition['strategies']>[number];
type Variants = FeatureDefinition['variants'];

/** What the decisions of one state depend on in the context. */
export interface Conditions {
  /** The constraints of each enabled strategy, including those of its segments and its own lists. */
  readonly strategies: readonly (readonly ConstraintDefinition[])[];
  /** Everything else that compares values: overrides of variants. */
  readonly others: readonly ConstraintDefinition[];
  /** Fields by which users are split. */
  readonly stickyFields: ReadonlySet<string>;
  /** Whether users are split by chance. */
  readonly isRandom: boolean;
  /** Whether a strategy can be evaluated by the application only. */
  readonly isIncomplete: boolean;
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : String(value);

/** The lists of these types are compared like constraints. */
const listsOf: Readonly<Record<string, readonly [string, Omit<ConstraintDefinition, 'values'>]>> = {
  userWithId: ['userIds', { contextName: 'userId', operator: 'IN' }],
  remoteAddress: ['IPs', { contextName: 'remoteAddress', operator: 'IN_CIDR' }],
};

const stickinessOf: Readonly<Record<string, string>> = {
  gradualRolloutUserId: 'userId',
  gradualRolloutSessionId: 'sessionId',
  gradualRolloutRandom: 'random',
};

const known = new Set([
  'default',
  'flexibleRollout',
  ...Object.keys(listsOf),
  ...Object.keys(stickinessOf),
]);

/** The field that contexts usually have for this stickiness. */
const fieldOf = (stickiness: string): string => (stickiness === 'default' ? 'userId' : stickiness);

const isShared = (variants: Variants): boolean =>
  (variants ?? []).filter(({ weight }) => weight > 0).length > 1;

const stickinessOfVariants = (variants: Variants, inherited: string): string[] =>
  isShared(variants) ? [variants?.[0]?.stickiness || inherited || 'default'] : [];

const overridesOf = (variants: Variants): ConstraintDefinition[] =>
  (variants ?? []).flatMap(({ overrides }) =>
    (overrides ?? []).map(({ contextName, values }) => ({
      contextName,
      operator: 'IN',
      values: values ?? [],
    })),
  );

function ownListOf({ name, parameters }: Strategy): ConstraintDefinition[] {
  const list = listsOf[name];
  if (!list) return [];
  const [parameter, constraint] = list;
  return [{ ...constraint, values: textOf(parameters?.[parameter]).split(',') }];
}

function stickinessOfStrategy({ name, parameters, variants }: Strategy): string[] {
  const stickiness = stickinessOf[name] ?? (textOf(parameters?.stickiness) || 'default');
  const isRollout = name === 'flexibleRollout' || stickinessOf[name] !== undefined;
  return [
    ...(isRollout ? [stickiness] : []),
    ...stickinessOfVariants(variants, textOf(parameters?.stickiness)),
  ];
}

/** The conditions of these features. One that is disabled has none: no context changes its decision. */
export function conditionsOf(
  definitions: readonly FeatureDefinition[],
  segments: readonly DefinedSegment[],
): Conditions {
  const constraintsOf = new Map(segments.map(({ id, constraints }) => [id, constraints]));
  const enabled = definitions.filter((definition) => definition.enabled);
  const strategies = enabled.flatMap((definition) =>
    (definition.strategies ?? []).filter(({ disabled }) => !disabled),
  );
  const stickiness = [
    ...strategies.flatMap(stickinessOfStrategy),
    ...enabled.flatMap(({ variants }) => stickinessOfVariants(variants, '')),
  ];
  return {
    strategies: strategies.map((strategy) => [
      ...(strategy.constraints ?? []),
      ...(strategy.segments ?? []).flatMap((id) => constraintsOf.get(id) ?? []),
      ...ownListOf(strategy),
    ]),
    others: [
      ...enabled.flatMap(({ variants }) => overridesOf(variants)),
      ...strategies.flatMap(({ variants }) => overridesOf(variants)),
    ],
    stickyFields: new Set(stickiness.filter((each) => each !== 'random').map(fieldOf)),
    isRandom: stickiness.includes('random'),
    isIncomplete: strategies.some(({ name }) => !known.has(name)),
  };
}
