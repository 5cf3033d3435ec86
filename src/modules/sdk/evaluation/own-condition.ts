import { addressList } from './address-list.ts';
import type { StrategyDefinition } from './definition.ts';
import { always, type Condition, never } from './operator.ts';
import type { Reason } from './outcome.ts';
import { type Facts, numberOf, type Reading } from './reading.ts';
import { bucketOf, type Chance, compileSorter, fieldOf, type Sorter } from './stickiness.ts';

/** The condition of a strategy besides its constraints and segments, with its result. */
export type OwnConditionExplanation =
  | { readonly kind: 'everybody'; readonly result: true }
  | {
      readonly kind: 'users';
      readonly result: boolean;
      readonly userIds: readonly string[];
      readonly userId?: string;
    }
  | {
      readonly kind: 'addresses';
      readonly result: boolean;
      readonly addresses: readonly string[];
      readonly remoteAddress?: string;
    }
  | {
      readonly kind: 'rollout';
      readonly result: boolean;
      readonly percentage: number;
      readonly group: string;
      readonly stickiness: string;
      /** The context field that decided, and its value. */
      readonly field?: string;
      readonly value?: string;
      /** From 1 to 100. The rollout contains the buckets up to its percentage. */
      readonly bucket?: number;
      readonly byChance: boolean;
    }
  /** 'hosts': only the application knows its host. 'custom': only the application's SDK knows the strategy type. */
  | { readonly kind: 'hosts' | 'custom'; readonly result: 'unknown' };

/** The contexts in the first buckets. */
export interface Rollout {
  readonly sorter: Sorter;
  readonly last: number;
}

export interface OwnCondition {
  readonly holds: Condition;
  /** Limits the matching contexts; undefined for all. */
  readonly rollout?: Rollout;
  /** The reason of an evaluation in which it holds. */
  readonly reason: Reason;
  readonly explain: (facts: Facts) => OwnConditionExplanation;
}

/** What a strategy is compiled with. */
export interface StrategySources {
  readonly featureName: string;
  readonly reading: Reading;
  readonly chance: Chance;
}

export function parameter({ parameters }: StrategyDefinition, name: string): string | undefined {
  const value = parameters && Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  return value === undefined || value === null || value === '' ? undefined : String(value);
}

/** Returns the group id of a strategy, by default the feature's name. An empty id is a group, as in SDKs. */
export const groupOf = ({ parameters }: StrategyDefinition, featureName: string): string =>
  String(parameters?.groupId ?? featureName);

const listed = (strategy: StrategyDefinition, name: string): string[] =>
  (parameter(strategy, name) ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

type Compile = (strategy: StrategyDefinition, sources: StrategySources) => OwnCondition;

const everybody: Compile = () => ({
  holds: always,
  reason: 'fixed',
  explain: () => ({ kind: 'everybody', result: true }),
});

const users: Compile = (strategy, { reading }) => {
  const userIds = listed(strategy, 'userIds');
  const set = new Set(userIds);
  const read = reading.text('userId');
  const holds: Condition = (facts) => {
    const userId = read(facts);
    return userId !== undefined && set.has(userId);
  };
  return {
    holds,
    reason: 'targeted',
    explain(facts) {
      const userId = read(facts);
      const result = holds(facts);
      return { kind: 'users', result, userIds, ...(userId !== undefined && { userId }) };
    },
  };
};

const addresses: Compile = (strategy, { reading }) => {
  const entries = listed(strategy, 'IPs');
  const includes = addressList(entries);
  const read = reading.address('remoteAddress');
  const text = reading.text('remoteAddress');
  const holds: Condition = (facts) => {
    const address = read(facts);
    return address !== undefined && includes(address);
  };
  return {
    holds,
    reason: 'targeted',
    explain(facts) {
      const remoteAddress = text(facts);
      return {
        kind: 'addresses',
        result: holds(facts),
        addresses: entries,
        ...(remoteAddress !== undefined && { remoteAddress }),
      };
    },
  };
};

interface RolloutParameters {
  readonly percentage: string | undefined;
  readonly group: string;
  readonly stickiness: string;
}

function rollout(
  { percentage: text = '0', group, stickiness }: RolloutParameters,
  { reading, chance }: StrategySources,
): OwnCondition {
  const percentage = numberOf(text) ?? 0;
  const sorter = compileSorter(
    {
      group,
      stickiness,
      seed: 0,
      buckets: 100,
      defaultFields: ['userId', 'sessionId'],
      otherwise: 'nowhere',
    },
    reading,
    chance,
  );
  const all = percentage >= 100;
  // At 100% no bucket is needed. Only contexts without the stickiness field are excluded.
  const sortable = sorter.chance ? always : (facts: Facts) => sorter.id(facts) !== undefined;
  return {
    holds: percentage <= 0 ? never : all ? sortable : always,
    ...(!all && { rollout: { sorter, last: percentage } }),
    // Not 'fixed' if a context may lack the stickiness field.
    reason: !all ? 'split' : sorter.chance ? 'fixed' : 'targeted',
    explain(facts) {
      const bucket = bucketOf(sorter, facts);
      const field = fieldOf(sorter, facts);
      const value = field === undefined ? undefined : reading.text(field)(facts);
      return {
        kind: 'rollout',
        result: bucket > 0 && bucket <= percentage,
        percentage,
        group,
        stickiness,
        ...(field !== undefined && { field }),
        ...(value !== undefined && { value }),
        ...(bucket > 0 && { bucket }),
        byChance: bucket > 0 && field === undefined,
      };
    },
  };
}

const flexibleRollout: Compile = (strategy, sources) =>
  rollout(
    {
      percentage: parameter(strategy, 'rollout'),
      group: groupOf(strategy, sources.featureName),
      stickiness: parameter(strategy, 'stickiness') ?? 'default',
    },
    sources,
  );

const rolloutBy = (stickiness: string): Compile => {
  return (strategy, sources) =>
    rollout(
      {
        percentage: parameter(strategy, 'percentage'),
        group: parameter(strategy, 'groupId') ?? '',
        stickiness,
      },
      sources,
    );
};

/** Not active: the server does not run on the application's host, and does not know custom types. */
const unknown = (kind: 'hosts' | 'custom'): Compile => {
  return () => ({ holds: never, reason: 'fixed', explain: () => ({ kind, result: 'unknown' }) });
};

const compilers: ReadonlyMap<string, Compile> = new Map([
  ['default', everybody],
  ['userWithId', users],
  ['remoteAddress', addresses],
  ['flexibleRollout', flexibleRollout],
  ['gradualRolloutUserId', rolloutBy('userId')],
  ['gradualRolloutSessionId', rolloutBy('sessionId')],
  ['gradualRolloutRandom', rolloutBy('random')],
  ['applicationHostname', unknown('hosts')],
]);

export const compileOwnCondition: Compile = (strategy, sources) =>
  (compilers.get(strategy.name) ?? unknown('custom'))(strategy, sources);
