import type { StrategyParameter } from './contract.ts';
import type { StrategyTypeRow } from './queries.ts';

/** Never required: an empty list matches no one. */
const parameter = (
  name: string,
  type: StrategyParameter['type'],
  description: string,
): StrategyParameter => ({ name, type, description, required: false });

const builtIn = (
  name: string,
  title: string,
  description: string,
  parameters: StrategyParameter[] = [],
): StrategyTypeRow => ({
  name,
  title,
  description,
  parameters,
  builtIn: true,
  deprecated: false,
});

const gradually = (name: string, title: string, description: string): StrategyTypeRow => ({
  ...builtIn(name, title, description, [
    parameter('percentage', 'percentage', 'Rollout percentage'),
    parameter('groupId', 'string', 'Features with the same group ID reach the same users'),
  ]),
  deprecated: true,
});

/** The strategy types that SDKs can evaluate, in the order of the API. New features need the first two. */
export const builtInTypes: readonly StrategyTypeRow[] = [
  builtIn('flexibleRollout', 'Gradual rollout', 'Enabled for a percentage of users', [
    parameter('rollout', 'percentage', 'Rollout percentage'),
    parameter('stickiness', 'string', 'Context field that keeps users in the same rollout group'),
    parameter('groupId', 'string', 'Features with the same group ID reach the same users'),
  ]),
  builtIn('default', 'Standard', 'Enabled for everyone'),
  builtIn('remoteAddress', 'IPs', 'Enabled for specific IP addresses', [
    parameter('IPs', 'list', 'IP addresses or CIDR ranges'),
  ]),
  builtIn('applicationHostname', 'Hosts', 'Enabled on specific hosts', [
    parameter('hostNames', 'list', 'Hostnames'),
  ]),
  {
    ...builtIn(
      'userWithId',
      'UserIDs',
      'Enabled for specific users. Use a constraint on userId instead.',
      [parameter('userIds', 'list', 'User IDs')],
    ),
    deprecated: true,
  },
  gradually('gradualRolloutUserId', 'Gradual rollout by user', 'Enabled for a percentage of users'),
  gradually(
    'gradualRolloutSessionId',
    'Gradual rollout by session',
    'Enabled for a percentage of sessions',
  ),
  gradually(
    'gradualRolloutRandom',
    'Gradual rollout (random)',
    'Enabled for a percentage of requests',
  ),
];

export const builtInStrategyNames: ReadonlySet<string> = new Set(
  builtInTypes.map(({ name }) => name),
);

/** Without these two no feature could be enabled. */
export const undeletableTypes: ReadonlySet<string> = new Set(['default', 'flexibleRollout']);
