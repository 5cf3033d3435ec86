import { addressList } from './address-list.ts';
import type { Condition, OwnConditionTrace } from './compiled.ts';
import type { CompileConstraint } from './constraint.ts';
import type { StrategyDefinition } from './definition.ts';
import type { Reason } from './outcome.ts';
import { numberOf, type Reading } from './reading.ts';
import { bucketOf, type Chance, compileSorter, fieldOf } from './stickiness.ts';

/** The condition of a strategy besides its constraints and segments. */
interface OwnCondition {
  readonly holds: Condition<OwnConditionTrace>;
  /** The reason of an evaluation in which it holds. */
  readonly reason: Reason;
}

/** What a strategy is compiled with. */
export interface StrategySources {
  readonly featureName: string;
  readonly reading: Reading;
  readonly compileConstraint: CompileConstraint;
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
  holds: (_facts, trace) => {
    if (trace) trace.condition = { kind: 'everybody', result: true };
    return true;
  },
  reason: 'fixed',
});

const users: Compile = (strategy, { reading }) => {
  const userIds = listed(strategy, 'userIds');
  const set = new Set(userIds);
  const read = reading.text('userId');
  return {
    holds: (facts, trace) => {
      const userId = read(facts);
      const result = userId !== undefined && set.has(userId);
      if (trace) {
        trace.condition = {
          kind: 'users',
          result,
          userIds,
          userId,
        };
      }
      return result;
    },
    reason: 'targeted',
  };
};

const addresses: Compile = (strategy, { reading }) => {
  const entries = listed(strategy, 'IPs');
  const includes = addressList(entries);
  const read = reading.address('remoteAddress');
  const text = reading.text('remoteAddress');
  return {
    holds: (facts, trace) => {
      const address = read(facts);
      const result = address !== undefined && includes(address);
      if (trace) {
        trace.condition = {
          kind: 'addresses',
          result,
          addresses: entries,
          remoteAddress: text(facts),
        };
      }
      return result;
    },
    reason: 'targeted',
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
  const isForAll = percentage >= 100;
  return {
    holds: (facts, trace) => {
      // No bucket is needed, and without chance the result can be cached.
      if (!trace && percentage <= 0) return false;
      if (!trace && isForAll && sorter.chance) return true;
      const bucket = bucketOf(sorter, facts);
      const result = bucket > 0 && bucket <= percentage;
      if (trace) {
        const field = fieldOf(sorter, facts);
        trace.condition = {
          kind: 'rollout',
          result,
          percentage,
          group,
          stickiness,
          field,
          value: field && reading.text(field)(facts),
          bucket: bucket > 0 ? bucket : undefined,
          byChance: bucket > 0 && field === undefined,
        };
      }
      return result;
    },
    // Not 'fixed' if a context may lack the stickiness field.
    reason: !isForAll ? 'split' : sorter.chance ? 'fixed' : 'targeted',
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
  return () => ({
    holds: (_facts, trace) => {
      if (trace) trace.condition = { kind, result: 'unknown' };
      return 'unknown';
    },
    reason: 'fixed',
  });
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
