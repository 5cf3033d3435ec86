import type { Response } from '../../api.ts';
import { constraintPieces, plain } from '../../flags/strategy/strategy-sentence.ts';
import { joinOr, percent, plural } from '../../ui/format.ts';

export const reasonsOperation =
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/playground';

export type ExplainedDecision = Response<typeof reasonsOperation>['decisions'][number]['saved'];
type Strategy = ExplainedDecision['strategies']['data'][number];
type Constraint = Strategy['constraints'][number];
type Condition = Strategy['condition'];
type Parent = ExplainedDecision['parentDependencies'][number];

export type Verdict = 'passed' | 'failed' | 'unknown' | 'skipped';

/** A reason of a decision, with the reasons behind it. */
export interface Reason {
  readonly verdict: Verdict;
  /** What is required. */
  readonly words: string;
  /** What was met instead, or how it came about. */
  readonly note?: string;
  /** The strategy that it is about. */
  readonly strategy?: string;
  readonly reasons: readonly Reason[];
}

const verdictOf = (result: boolean | 'unknown'): Verdict =>
  result === 'unknown' ? 'unknown' : result ? 'passed' : 'failed';

const quoted = (text: string): string => `“${text}”`;

const constraintReason = (constraint: Constraint): Reason => {
  const { contextName, actual, result } = constraint;
  return {
    verdict: verdictOf(result),
    words: plain(constraintPieces(constraint)),
    note: actual === undefined ? `the context has no ${contextName}` : `it is ${quoted(actual)}`,
    reasons: [],
  };
};

const membership = (field: string, value: string | undefined, isOn: boolean): string =>
  value === undefined
    ? `the context has no ${field}`
    : `${field} ${quoted(value)} is ${isOn ? '' : 'not '}among them`;

function rolloutNote({ bucket, byChance, stickiness, field, value = '' }: Condition): string {
  if (byChance) return `a random choice gave bucket ${bucket} of 100; the next one may differ`;
  if (bucket === undefined) return `the context has no value for the stickiness ${stickiness}`;
  return `${field} ${quoted(value)} is in bucket ${bucket} of 100`;
}

/** What the type of a strategy decides by itself. */
function conditionReason(condition: Condition): Reason {
  const { kind, result } = condition;
  const isMet = result === true;
  const of = (words: string, note?: string): Reason => ({
    verdict: verdictOf(result),
    words,
    ...(note !== undefined && { note }),
    reasons: [],
  });
  switch (kind) {
    case 'everybody':
      return of('for everybody');
    case 'users':
      return of(
        `for ${plural(condition.userIds?.length ?? 0, 'listed user')}`,
        membership('userId', condition.userId, isMet),
      );
    case 'addresses':
      return of(
        `for ${plural(condition.addresses?.length ?? 0, 'listed address', 'listed addresses')}`,
        membership('remoteAddress', condition.remoteAddress, isMet),
      );
    case 'rollout':
      return condition.percentage === 100 && isMet
        ? of('for 100% of those')
        : of(`for ${percent(condition.percentage ?? 0)} of those`, rolloutNote(condition));
    case 'hosts':
      return of('for listed host names', 'only the application knows its host name');
    case 'custom':
      return of('as its type decides', 'only applications can evaluate it');
  }
}

function strategyReason(strategy: Strategy): Reason {
  const { id, name, title, disabled, constraints, segments, condition, result } = strategy;
  return {
    verdict: disabled ? 'skipped' : verdictOf(result.enabled),
    words: title === undefined || title === '' ? name : `${title} (${name})`,
    ...(disabled && { note: 'it is disabled' }),
    strategy: id,
    reasons: [
      ...constraints.map(constraintReason),
      ...segments.map((segment) => ({
        verdict: verdictOf(segment.result),
        words: `in the segment ${segment.name === '' ? `#${segment.id}` : quoted(segment.name)}`,
        reasons: segment.constraints.map(constraintReason),
      })),
      conditionReason(condition),
    ],
  };
}

function parentReason({ feature, enabled, variants = [], actual, reason, result }: Parent): Reason {
  if (feature === undefined) {
    return {
      verdict: 'failed',
      words: 'a feature that does not exist, or that you cannot see',
      reasons: [],
    };
  }
  const withVariant = variants.length > 0 ? ` with the variant ${joinOr(variants)}` : '';
  const state =
    actual &&
    `it is ${actual.enabled ? 'on' : 'off'}${variants.length > 0 && actual.enabled ? ` with the variant ${actual.variant}` : ''}`;
  const note = reason === 'has-parents' ? 'it depends on other features itself' : state;
  return {
    verdict: verdictOf(result),
    words: `${feature} is ${enabled ? 'on' : 'off'}${withVariant}`,
    ...(note !== undefined && { note }),
    reasons: [],
  };
}

function strategiesReason({ strategies }: ExplainedDecision): Reason {
  const { data, result } = strategies;
  if (data.length === 0) {
    return {
      verdict: 'passed',
      words: 'It has no strategies: it is on for everybody',
      reasons: [],
    };
  }
  const words =
    data.length === 1 ? 'Its strategy matches' : `One of its ${data.length} strategies matches`;
  return { verdict: verdictOf(result), words, reasons: data.map(strategyReason) };
}

export function variantReasons({ isEnabled, variant, variantChoice }: ExplainedDecision): Reason[] {
  if (!isEnabled || !variant?.enabled) return [];
  const words = `It gets the variant ${quoted(variant.name)}`;
  const of = (note?: string): Reason[] => [
    { verdict: 'passed', words, ...(note !== undefined && { note }), reasons: [] },
  ];
  if (!variantChoice) return of();
  const { override, field, value = '', bucket, totalWeight, from, to } = variantChoice;
  if (override) return of(`assigned to ${override.contextName} ${quoted(override.value)}`);
  const who = field === undefined ? 'a random choice gave' : `${field} ${quoted(value)} is in`;
  return of(`${who} bucket ${bucket} of ${totalWeight}; the variant has ${from} to ${to}`);
}

/** Why a feature is on or off, in the order in which SDKs decide. */
export function reasonsOf(decision: ExplainedDecision): Reason[] {
  const { environment, isEnabledInCurrentEnvironment: isOn, parentDependencies } = decision;
  const parents = parentDependencies.map(parentReason);
  return [
    { verdict: verdictOf(isOn), words: `It is switched on in ${environment}`, reasons: [] },
    ...(parents.length > 0
      ? [
          {
            verdict: verdictOf(!decision.hasUnsatisfiedDependency),
            words: 'Its parents are as it requires',
            reasons: parents,
          },
        ]
      : []),
    strategiesReason(decision),
    ...variantReasons(decision),
  ];
}
