import type { StrategyParameter } from './contract.ts';
import type { StrategyTypeRow } from './queries.ts';

/** Never required: an empty list means nobody, or nobody yet. */
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
    parameter('percentage', 'percentage', 'How many of a hundred get the feature'),
    parameter('groupId', 'string', 'Features of one group reach the same people'),
  ]),
  deprecated: true,
});

/** The strategy types that SDKs can evaluate, in the order of the API. New features need the first two. */
export const builtInTypes: readonly StrategyTypeRow[] = [
  builtIn('flexibleRollout', 'Gradual rollout', 'On for a growing share of those who ask', [
    parameter('rollout', 'percentage', 'How many of a hundred get the feature'),
    parameter('stickiness', 'string', 'What decides who belongs to the share'),
    parameter('groupId', 'string', 'Features of one group reach the same people'),
  ]),
  builtIn('default', 'Standard', 'On for everybody'),
  builtIn('remoteAddress', 'IPs', 'On for requests from certain addresses', [
    parameter('IPs', 'list', 'Addresses, or ranges of them in CIDR notation'),
  ]),
  builtIn('applicationHostname', 'Hosts', 'On where the application runs on certain hosts', [
    parameter('hostNames', 'list', 'Names of hosts'),
  ]),
  {
    ...builtIn('userWithId', 'UserIDs', 'On for certain users; a constraint on userId says more', [
      parameter('userIds', 'list', 'Ids of users'),
    ]),
    deprecated: true,
  },
  gradually('gradualRolloutUserId', 'Gradual rollout by user', 'On for a share of the users'),
  gradually('gradualRolloutSessionId', 'Gradual rollout by session', 'On for a share of sessions'),
  gradually('gradualRolloutRandom', 'Gradual rollout by chance', 'On for a share of all requests'),
];

/** Without these two no feature could be enabled. */
export const builtInStrategyNames: ReadonlySet<string> = new Set(
  builtInTypes.map(({ name }) => name),
);

export const undeletableTypes: ReadonlySet<string> = new Set(['default', 'flexibleRollout']);
