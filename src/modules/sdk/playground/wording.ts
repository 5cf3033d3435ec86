import type { ConstraintDefinition, Explanation } from '../evaluation/index.ts';

type Strategy = Explanation['strategies'][number];
type Constraint = Strategy['constraints'][number];
type Parent = Explanation['parents'][number];

const maxTextLength = 100;
const maxListed = 5;

const quoted = (text: string): string =>
  `'${text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text}'`;

const listed = (texts: readonly string[]): string => {
  const some = texts.slice(0, maxListed).map(quoted).join(', ');
  return texts.length > maxListed ? `${some} and ${texts.length - maxListed} more` : some;
};

/** What an operator requires of a field, after "must" or "must not". */
const requirements: Readonly<Record<string, string>> = {
  IN: 'be one of',
  NOT_IN: 'be one of',
  STR_CONTAINS: 'contain one of',
  STR_STARTS_WITH: 'begin with one of',
  STR_ENDS_WITH: 'end with one of',
  NUM_EQ: 'equal',
  NUM_GT: 'be greater than',
  NUM_GTE: 'be at least',
  NUM_LT: 'be less than',
  NUM_LTE: 'be at most',
  DATE_AFTER: 'be after',
  DATE_BEFORE: 'be before',
  SEMVER_EQ: 'be the version',
  SEMVER_GT: 'be a later version than',
  SEMVER_GTE: 'be at least the version',
  SEMVER_LT: 'be an earlier version than',
  SEMVER_LTE: 'be at most the version',
  REGEX: 'match',
  IN_CIDR: 'be an address in one of',
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
  if (!sound) return `${requirementOf(constraint)}, which cannot be evaluated`;
  const reality = actual === undefined ? 'the context has none' : `it is ${quoted(actual)}`;
  return `${requirementOf(constraint)}, but ${reality}`;
}

const brokenOf = (constraints: readonly Constraint[]): string[] =>
  constraints.filter(({ result }) => !result).map(brokenConstraint);

function brokenSegments({ segments }: Strategy): string[] {
  return segments
    .filter(({ result }) => !result)
    .map(({ name, id, exists, constraints }) => {
      const who = `the segment ${name === undefined ? id : quoted(name)}`;
      return exists
        ? `${who} does not match: ${brokenOf(constraints).join('; ')}`
        : `${who} does not exist`;
    });
}

type Condition = Strategy['condition'];

function rolloutWords(rollout: Extract<Condition, { kind: 'rollout' }>): string {
  const { percentage, stickiness, field, value = '', bucket, byChance } = rollout;
  const share = `the rollout is ${percentage} %`;
  if (byChance) return `a random choice gave bucket ${bucket} of 100, and ${share}`;
  if (bucket === undefined) return `the context has no value for the stickiness ${stickiness}`;
  return `${field} ${quoted(value)} is in bucket ${bucket} of 100, and ${share}`;
}

const membership = (who: string, value: string | undefined, list: string, isOn: boolean) =>
  value === undefined
    ? `the context has no ${who}`
    : `${who} ${quoted(value)} is ${isOn ? '' : 'not '}on the list of ${list}`;

function conditionWords(condition: Condition): string {
  switch (condition.kind) {
    case 'everybody':
      return 'it applies to everybody';
    case 'users':
      return membership('userId', condition.userId, 'users', condition.result);
    case 'addresses':
      return membership('remoteAddress', condition.remoteAddress, 'addresses', condition.result);
    case 'rollout':
      return rolloutWords(condition);
    case 'hosts':
      return 'only the application knows its host name';
    case 'custom':
      return 'only applications can evaluate a strategy of this type';
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
  return parts.length === 0 ? '' : ` and its ${parts.join(' and ')} ${one ? 'matches' : 'match'}`;
}

function because(strategy: Strategy): string {
  const { disabled, condition, constraints } = strategy;
  if (disabled) return 'it is disabled';
  const broken = [...brokenOf(constraints), ...brokenSegments(strategy)];
  if (condition.result === false) broken.push(conditionWords(condition));
  if (broken.length > 0) return broken.join('; ');
  return `${conditionWords(condition)}${metWords(strategy)}`;
}

/** Why a strategy matches or does not. */
export function strategyWords(strategy: Strategy): string {
  if (strategy.result === 'unknown') {
    return `It cannot be evaluated here: ${because(strategy)}.`;
  }
  return `It ${strategy.result ? 'matches' : 'does not match'}: ${because(strategy)}.`;
}

function parentWords({ feature, wanted, actual, reason }: Parent): string | undefined {
  if (reason === 'as-wanted') return undefined;
  if (reason === 'missing')
    return 'it depends on a feature that does not exist or that you cannot see';
  const parent = quoted(feature);
  const requirement = `it requires ${parent} to be ${wanted.enabled ? 'enabled' : 'disabled'}`;
  if (reason === 'has-parents') return `${requirement}, but ${parent} depends on other features`;
  if (reason === 'other-variant') {
    return `${requirement} with the variant ${listed(wanted.variants ?? [])}, but ${parent} has ${quoted(actual?.variant ?? '')}`;
  }
  return `${requirement}, but ${parent} is ${wanted.enabled ? 'disabled' : 'enabled'}`;
}

const nameOf = ({ title, name }: Strategy): string =>
  title === undefined ? quoted(name) : `${quoted(title)} (${name})`;

function variantWords({ variant }: Explanation): string {
  if (variant === undefined) return '';
  const { variant: name, override, field, value = '', bucket, from, to, totalWeight } = variant;
  const which = ` Its variant is ${quoted(name)}:`;
  if (override)
    return `${which} an override assigns it to ${override.contextName} ${quoted(override.value)}.`;
  const how = field === undefined ? 'a random choice gave' : `${field} ${quoted(value)} is in`;
  return `${which} ${how} bucket ${bucket} of ${totalWeight}, and the variant has ${from} to ${to}.`;
}

/** Why a feature is enabled or disabled for a context in an environment. */
export function decisionWords(explanation: Explanation, environment: string): string {
  const { reason, result, parents, strategies } = explanation;
  switch (reason) {
    case 'missing':
      return 'The feature does not exist.';
    case 'off':
      return `It is disabled in ${environment}.`;
    case 'parents':
      return sentence(parents.map(parentWords).filter(Boolean).join('; '));
    case 'no-strategies':
      return `It is enabled for everybody in ${environment}, because it has no strategies.${variantWords(explanation)}`;
    case 'strategy-holds': {
      const holding = strategies.find((strategy) => strategy.result === true) as Strategy;
      return `Its strategy ${nameOf(holding)} matches: ${because(holding)}.${variantWords(explanation)}`;
    }
    case 'no-strategy-holds': {
      if (result === 'unknown') {
        return 'None of the strategies that can be evaluated here matches; only applications can evaluate the others.';
      }
      const [only, ...others] = strategies as [Strategy, ...Strategy[]];
      return others.length === 0
        ? `Its only strategy ${nameOf(only)} does not match: ${because(only)}.`
        : `None of its ${strategies.length} strategies matches.`;
    }
  }
}
