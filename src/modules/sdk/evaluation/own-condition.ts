import { addressList } from './address-list.ts';
import type { StrategyDefinition } from './definition.ts';
import { always, type Condition, never } from './operator.ts';
import type { Reason } from './outcome.ts';
import { type Facts, numberOf, type Reading } from './reading.ts';
import { bucketOf, type Chance, compileSorter, fieldOf, type Sorter } from './stickiness.ts';

/** What a strategy asks besides its constraints and segments, and what came of it. */
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
      /** The field of the context that decided, and what stood in it. */
      readonly field?: string;
      readonly value?: string;
      /** From 1 to 100; the rollout has those up to its percentage. */
      readonly bucket?: number;
      readonly byChance: boolean;
    }
  /** 'hosts': only the application knows where it runs. 'custom': only its SDK knows the type. */
  | { readonly kind: 'hosts' | 'custom'; readonly result: 'unknown' };

/** The contexts whose bucket is one of the first. */
export interface Rollout {
  readonly sorter: Sorter;
  readonly last: number;
}

export interface OwnCondition {
  readonly holds: Condition;
  /** Of the contexts it holds for, those that are meant; undefined: all. */
  readonly rollout?: Rollout;
  /** Why somebody has the feature whom it holds for. */
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

/** The group by which a strategy sticks: the feature, where nothing was said. An empty one is a group, as it is to SDKs. */
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
  // Of all, nobody need be sorted: only those are left out whom nothing sticks to.
  const sortable = sorter.chance ? always : (facts: Facts) => sorter.id(facts) !== undefined;
  return {
    holds: percentage <= 0 ? never : all ? sortable : always,
    ...(!all && { rollout: { sorter, last: percentage } }),
    // Not on for everybody where somebody may have nothing that it sticks to.
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

/** Not active: the server is not the host that is meant, and does not know types of others. */
const unknown = (kind: 'hosts' | 'custom'): Compile => {
  return () => ({ holds: never, reason: 'fixed', explain: () => ({ kind, result: 'unknown' }) });
};

const known: ReadonlyMap<string, Compile> = new Map([
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
  (known.get(strategy.name) ?? unknown('custom'))(strategy, sources);
