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
const wishes: Readonly<Record<string, string>> = {
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

function demandOf({ contextName, operator, ...rest }: ConstraintDefinition): string {
  const { values, value, inverted, caseInsensitive } = rest;
  const isNegative = (operator === 'NOT_IN') !== Boolean(inverted);
  const operands = value === undefined || value === null ? (values ?? []) : [value];
  const what = operands.length === 0 ? 'an empty list' : listed(operands);
  const anyCase = caseInsensitive && /^(STR_|REGEX)/.test(operator) ? ', in any case' : '';
  return `${contextName} must ${isNegative ? 'not ' : ''}${wishes[operator] ?? operator} ${what}${anyCase}`;
}

function brokenConstraint({ constraint, actual, sound }: Constraint): string {
  if (!sound) return `${demandOf(constraint)}, which nobody can evaluate`;
  const reality = actual === undefined ? 'the context has none' : `it is ${quoted(actual)}`;
  return `${demandOf(constraint)}, and ${reality}`;
}

const brokenOf = (constraints: readonly Constraint[]): string[] =>
  constraints.filter(({ result }) => !result).map(brokenConstraint);

function brokenSegments({ segments }: Strategy): string[] {
  return segments
    .filter(({ result }) => !result)
    .map(({ name, id, exists, constraints }) => {
      const who = `the segment ${name === undefined ? id : quoted(name)}`;
      return exists
        ? `${who} does not hold: ${brokenOf(constraints).join('; ')}`
        : `${who} is gone`;
    });
}

type Condition = Strategy['condition'];

function rolloutWords(rollout: Extract<Condition, { kind: 'rollout' }>): string {
  const { percentage, stickiness, field, value = '', bucket, byChance } = rollout;
  const share = `the rollout has ${percentage} of 100`;
  if (byChance) return `chance gave bucket ${bucket}, and ${share}`;
  if (bucket === undefined) return `the context has no ${stickiness} to stick to`;
  return `${field} ${quoted(value)} falls into bucket ${bucket}, and ${share}`;
}

const membership = (who: string, value: string | undefined, list: string, isOn: boolean) =>
  value === undefined
    ? `the context has no ${who}`
    : `${who} ${quoted(value)} is ${isOn ? '' : 'not '}on the list of ${list}`;

function conditionWords(condition: Condition): string {
  switch (condition.kind) {
    case 'everybody':
      return 'it is for everybody';
    case 'users':
      return membership('userId', condition.userId, 'users', condition.result);
    case 'addresses':
      return membership('remoteAddress', condition.remoteAddress, 'addresses', condition.result);
    case 'rollout':
      return rolloutWords(condition);
    case 'hosts':
      return 'only the application knows on which host it runs';
    case 'custom':
      return 'only applications know how to evaluate a strategy of this type';
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
  return parts.length === 0 ? '' : ` and its ${parts.join(' and ')} ${one ? 'holds' : 'hold'}`;
}

function because(strategy: Strategy): string {
  const { disabled, condition, constraints } = strategy;
  if (disabled) return 'it is disabled, and passed over';
  const broken = [...brokenOf(constraints), ...brokenSegments(strategy)];
  if (condition.result === false) broken.push(conditionWords(condition));
  if (broken.length > 0) return broken.join('; ');
  return `${conditionWords(condition)}${metWords(strategy)}`;
}

/** Why a strategy matches or does not. */
export function strategyWords(strategy: Strategy): string {
  if (strategy.result === 'unknown') {
    return `Whether it holds cannot be told here: ${because(strategy)}.`;
  }
  return `It ${strategy.result ? 'holds' : 'does not hold'}: ${because(strategy)}.`;
}

function parentWords({ feature, wanted, actual, reason }: Parent): string | undefined {
  if (reason === 'as-wanted') return undefined;
  if (reason === 'missing') return 'it depends on a feature that there is not, or not for you';
  const wish = wanted.enabled ? 'on' : 'off';
  const who = `it wants ${quoted(feature)} ${wish}`;
  if (reason === 'has-parents') return `${who}, which depends on others itself`;
  if (reason === 'other-variant') {
    return `${who} with the variant ${listed(wanted.variants ?? [])}, and it has ${quoted(actual?.variant ?? '')}`;
  }
  return `${who}, and it is ${wanted.enabled ? 'off' : 'on'}`;
}

const nameOf = ({ title, name }: Strategy): string =>
  title === undefined ? quoted(name) : `${quoted(title)} (${name})`;

function variantWords({ variant }: Explanation): string {
  if (variant === undefined) return '';
  const { variant: name, override, field, value = '', bucket, from, to, totalWeight } = variant;
  const which = ` It gets the variant ${quoted(name)}:`;
  if (override) return `${which} ${override.contextName} ${quoted(override.value)} is given it.`;
  const how =
    field === undefined
      ? 'chance gave'
      : `${field} ${quoted(value)} falls into, of ${totalWeight},`;
  return `${which} ${how} bucket ${bucket}, and it has ${from} to ${to}.`;
}

/** Why a feature is enabled or disabled for a context in an environment. */
export function decisionWords(explanation: Explanation, environment: string): string {
  const { reason, result, parents, strategies } = explanation;
  switch (reason) {
    case 'missing':
      return 'There is no such feature.';
    case 'off':
      return `It is off in ${environment}.`;
    case 'parents':
      return sentence(parents.map(parentWords).filter(Boolean).join('; '));
    case 'no-strategies':
      return `It is on in ${environment}, for everybody: it has no strategies.${variantWords(explanation)}`;
    case 'strategy-holds': {
      const holding = strategies.find((strategy) => strategy.result === true) as Strategy;
      return `Its strategy ${nameOf(holding)} holds: ${because(holding)}.${variantWords(explanation)}`;
    }
    case 'no-strategy-holds': {
      if (result === 'unknown') {
        return 'None of its strategies holds for certain, and one of them only applications can evaluate.';
      }
      const [only, ...others] = strategies as [Strategy, ...Strategy[]];
      return others.length === 0
        ? `Its only strategy ${nameOf(only)} does not hold: ${because(only)}.`
        : `None of its ${strategies.length} strategies holds.`;
    }
  }
}
