import type { ConstraintDefinition, Explanation } from '../evaluation/index.ts';

type Strategy = Explanation['strategies'][number];
type Constraint = Strategy['constraints'][number];
type Parent = Explanation['parents'][number];

const maxTextLength = 100;
const maxListed = 5;

const quoted = (text: string): string =>
  `“${text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text}”`;

const listed = (texts: readonly string[]): string => {
  const some = texts.slice(0, maxListed).map(quoted).join(', ');
  return texts.length > maxListed ? `${some}, and ${texts.length - maxListed} more` : some;
};

/** What an operator requires of a field, after "must" or "must not". */
const requirements: Readonly<Record<string, string>> = {
  IN: 'be one of',
  NOT_IN: 'be one of',
  STR_CONTAINS: 'contain one of',
  STR_STARTS_WITH: 'start with one of',
  STR_ENDS_WITH: 'end with one of',
  NUM_EQ: 'equal',
  NUM_GT: 'be greater than',
  NUM_GTE: 'be at least',
  NUM_LT: 'be less than',
  NUM_LTE: 'be at most',
  DATE_AFTER: 'be after',
  DATE_BEFORE: 'be before',
  SEMVER_EQ: 'be version',
  SEMVER_GT: 'be later than version',
  SEMVER_GTE: 'be at least version',
  SEMVER_LT: 'be earlier than version',
  SEMVER_LTE: 'be at most version',
  REGEX: 'match',
  IN_CIDR: 'be in one of the ranges',
};

function requirementOf({ contextName, operator, ...rest }: ConstraintDefinition): string {
  const { values, value, inverted, caseInsensitive } = rest;
  const isNegative = (operator === 'NOT_IN') !== Boolean(inverted);
  const operands = value === undefined || value === null ? (values ?? []) : [value];
  const what = operands.length === 0 ? 'an empty list' : listed(operands);
  const anyCase = caseInsensitive && /^(STR_|REGEX)/.test(operator) ? ', ignoring case' : '';
  return `${contextName} must ${isNegative ? 'not ' : ''}${requirements[operator] ?? operator} ${what}${anyCase}`;
}

function brokenConstraint({ constraint, actual, sound }: Constraint): string {
  if (!sound) return `${requirementOf(constraint)}, but the constraint is invalid`;
  const reality = actual === undefined ? "it's missing" : `it's ${quoted(actual)}`;
  return `${requirementOf(constraint)}, but ${reality}`;
}

const brokenOf = (constraints: readonly Constraint[]): string[] =>
  constraints.filter(({ result }) => !result).map(brokenConstraint);

function brokenSegments({ segments }: Strategy): string[] {
  return segments
    .filter(({ result }) => !result)
    .map(({ name, id, exists, constraints }) => {
      const who = `segment ${name === undefined ? id : quoted(name)}`;
      return exists
        ? `${who} doesn't match: ${brokenOf(constraints).join('; ')}`
        : `${who} doesn't exist`;
    });
}

type Condition = Strategy['condition'];

function rolloutWords(rollout: Extract<Condition, { kind: 'rollout' }>): string {
  const { percentage, stickiness, field, value = '', bucket, byChance, result } = rollout;
  if (bucket === undefined) return `the context has no ${stickiness} for stickiness`;
  const compared = `bucket ${bucket} ${result ? '≤' : '>'} ${percentage}%`;
  return byChance ? `random ${compared}` : `${field} ${quoted(value)} is in ${compared}`;
}

const membership = (who: string, value: string | undefined, list: string, isOn: boolean) =>
  value === undefined
    ? `the context has no ${who}`
    : `${who} ${quoted(value)} ${isOn ? 'is' : "isn't"} on the ${list} list`;

function conditionWords(condition: Condition): string {
  switch (condition.kind) {
    case 'everybody':
      return 'it applies to everyone';
    case 'users':
      return membership('userId', condition.userId, 'user', condition.result);
    case 'addresses':
      return membership('remoteAddress', condition.remoteAddress, 'IP address', condition.result);
    case 'rollout':
      return rolloutWords(condition);
    case 'hosts':
      return 'only the application can evaluate host names';
    case 'custom':
      return 'only the application can evaluate custom strategies';
  }
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

const counted = (things: number, thing: string): string =>
  `${things} ${thing}${things === 1 ? '' : 's'}`;

function metWords({ constraints, segments }: Strategy): string {
  const parts = [
    ...(constraints.length > 0 ? [counted(constraints.length, 'constraint')] : []),
    ...(segments.length > 0 ? [counted(segments.length, 'segment')] : []),
  ];
  const one = constraints.length + segments.length === 1;
  return parts.length === 0 ? '' : ` and ${parts.join(' and ')} ${one ? 'matches' : 'match'}`;
}

/** What keeps a strategy from matching. */
function obstacles(strategy: Strategy): string[] {
  const { condition, constraints } = strategy;
  const broken = [...brokenOf(constraints), ...brokenSegments(strategy)];
  return condition.result === false ? [...broken, conditionWords(condition)] : broken;
}

function because(strategy: Strategy): string {
  if (strategy.disabled) return "it's disabled";
  const { condition } = strategy;
  const broken = obstacles(strategy);
  if (broken.length > 0) return broken.join('; ');
  return `${conditionWords(condition)}${metWords(strategy)}`;
}

/** Why a strategy matches or does not. */
export function strategyWords(strategy: Strategy): string {
  if (strategy.result === 'unknown') {
    return `Can't be evaluated here: ${because(strategy)}.`;
  }
  return `${strategy.result ? 'Matches' : "Doesn't match"}: ${because(strategy)}.`;
}

function parentWords({ feature, wanted, actual, reason }: Parent): string | undefined {
  if (reason === 'as-wanted') return undefined;
  if (reason === 'missing')
    return "the parent feature doesn't exist or you don't have access to it";
  const parent = quoted(feature);
  const requirement = `requires ${parent} to be ${wanted.enabled ? 'enabled' : 'disabled'}`;
  if (reason === 'has-parents')
    return `${requirement}, but ${parent} has a parent of its own, which isn't supported`;
  if (reason === 'other-variant') {
    return `${requirement} with variant ${listed(wanted.variants ?? [])}, but it has ${quoted(actual?.variant ?? '')}`;
  }
  return `${requirement}, but it's ${wanted.enabled ? 'disabled' : 'enabled'}`;
}

const nameOf = ({ title, name }: Strategy): string =>
  title === undefined ? quoted(name) : `${quoted(title)} (${name})`;

function variantWords({ variant }: Explanation): string {
  if (variant === undefined) return '';
  const { variant: name, override, field, value = '', bucket, from, to, totalWeight } = variant;
  const which = ` Variant ${quoted(name)}:`;
  if (override) return `${which} override for ${override.contextName} ${quoted(override.value)}.`;
  const how = field === undefined ? 'random' : `${field} ${quoted(value)} is in`;
  return `${which} ${how} bucket ${bucket} (${from}–${to} of ${totalWeight}).`;
}

/** The strategy with the fewest obstacles, and its first one. */
function closestMiss(strategies: readonly Strategy[]): string {
  const [closest] = strategies
    .filter(({ disabled }) => !disabled)
    .map((strategy) => ({ strategy, broken: obstacles(strategy) }))
    .sort((a, b) => a.broken.length - b.broken.length);
  return closest
    ? `. Closest: ${nameOf(closest.strategy)} – ${closest.broken[0]}`
    : ': all are disabled';
}

/** Why a feature is enabled or disabled for a context in an environment. */
export function decisionWords(explanation: Explanation, environment: string): string {
  const { reason, result, parents, strategies } = explanation;
  switch (reason) {
    case 'missing':
      return "The feature doesn't exist.";
    case 'off':
      return `Disabled in ${environment}.`;
    case 'parents':
      return sentence(parents.map(parentWords).filter(Boolean).join('; '));
    case 'no-strategies':
      return `Enabled for everyone in ${environment}: no strategies.${variantWords(explanation)}`;
    case 'strategy-holds': {
      const holding = strategies.find((strategy) => strategy.result === true) as Strategy;
      return `Strategy ${nameOf(holding)} matches: ${because(holding)}.${variantWords(explanation)}`;
    }
    case 'no-strategy-holds': {
      if (result === 'unknown') {
        return 'No match here. The remaining strategies can only be evaluated by the application.';
      }
      const [only, ...others] = strategies as [Strategy, ...Strategy[]];
      return others.length === 0
        ? `Strategy ${nameOf(only)} doesn't match: ${because(only)}.`
        : `None of the ${strategies.length} strategies match${closestMiss(strategies)}.`;
    }
  }
}
