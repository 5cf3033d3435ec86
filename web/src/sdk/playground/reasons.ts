import type { Response } from '../../api.ts';
import { constraintPieces, plain } from '../../flags/strategy/strategy-sentence.ts';
import { joinOr, numberText, percent } from '../../ui/format.ts';
import type { Decision } from './results.ts';

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
  /** The actual value, or how the result came about. */
  readonly note?: string;
  /** The strategy that it is about. */
  readonly strategy?: string;
  readonly reasons: readonly Reason[];
}

const verdictOf = (result: boolean | 'unknown'): Verdict =>
  result === 'unknown' ? 'unknown' : result ? 'passed' : 'failed';

const quoted = (text: string): string => `“${text}”`;

const constraintReason = (constraint: Constraint): Reason => {
  const { actual, result } = constraint;
  return {
    verdict: verdictOf(result),
    words: plain(constraintPieces(constraint)),
    note: actual === undefined ? 'Not in context' : `Actual: ${quoted(actual)}`,
    reasons: [],
  };
};

const membership = (field: string, value: string | undefined, isOn: boolean): string =>
  value === undefined
    ? `No ${field} in context`
    : `${field} ${quoted(value)} ${isOn ? 'is' : "isn't"} on the list`;

function rolloutNote({ bucket, byChance, stickiness, field, value = '', ...rest }: Condition) {
  if (bucket === undefined) return `No value for stickiness ${stickiness} in context`;
  const compared = `${bucket} ${rest.result === true ? '≤' : '>'} ${percent(rest.percentage ?? 0)}`;
  return byChance
    ? `Random bucket ${compared}; may differ next time`
    : `${field} ${quoted(value)}: bucket ${compared}`;
}

const onlyApplication = 'Only the application can evaluate this';

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
      return of('Everyone');
    case 'users':
      return of(
        `User is on the list (${numberText(condition.userIds?.length ?? 0)})`,
        membership('userId', condition.userId, isMet),
      );
    case 'addresses':
      return of(
        `IP address is on the list (${numberText(condition.addresses?.length ?? 0)})`,
        membership('remoteAddress', condition.remoteAddress, isMet),
      );
    case 'rollout':
      return condition.percentage === 100 && isMet
        ? of('Rollout 100%')
        : of(`Rollout ${percent(condition.percentage ?? 0)}`, rolloutNote(condition));
    case 'hosts':
      return of('Host name is on the list', onlyApplication);
    case 'custom':
      return of('Custom strategy', onlyApplication);
  }
}

function strategyReason(strategy: Strategy): Reason {
  const { id, name, title, disabled, constraints, segments, condition, result } = strategy;
  return {
    verdict: disabled ? 'skipped' : verdictOf(result.enabled),
    words: title === undefined || title === '' ? name : `${title} (${name})`,
    ...(disabled && { note: 'Disabled' }),
    strategy: id,
    reasons: [
      ...constraints.map(constraintReason),
      ...segments.map((segment) => ({
        verdict: verdictOf(segment.result),
        words: `Segment ${segment.name === '' ? `#${segment.id}` : quoted(segment.name)}`,
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
      words: "Parent doesn't exist or you don't have access to it",
      reasons: [],
    };
  }
  const withVariant = variants.length > 0 ? ` with variant ${joinOr(variants)}` : '';
  const state =
    actual &&
    `Actual: ${actual.enabled ? 'enabled' : 'disabled'}${variants.length > 0 && actual.enabled ? ` with variant ${actual.variant}` : ''}`;
  const note =
    reason === 'has-parents' ? "The parent has a parent of its own, which isn't supported" : state;
  return {
    verdict: verdictOf(result),
    words: `${feature} is ${enabled ? 'enabled' : 'disabled'}${withVariant}`,
    ...(note !== undefined && { note }),
    reasons: [],
  };
}

function strategiesReason({ strategies }: ExplainedDecision): Reason {
  const { data, result } = strategies;
  if (data.length === 0) {
    return {
      verdict: 'passed',
      words: 'No strategies: enabled for everyone',
      reasons: [],
    };
  }
  const words =
    data.length === 1 ? 'Strategy matches' : `At least one of ${data.length} strategies matches`;
  return { verdict: verdictOf(result), words, reasons: data.map(strategyReason) };
}

export function variantReasons({ isEnabled, variant, variantChoice }: ExplainedDecision): Reason[] {
  if (!isEnabled || !variant?.enabled) return [];
  const words = `Variant ${quoted(variant.name)}`;
  const of = (note?: string): Reason[] => [
    { verdict: 'passed', words, ...(note !== undefined && { note }), reasons: [] },
  ];
  if (!variantChoice) return of();
  const { override, field, value = '', bucket, totalWeight, from, to } = variantChoice;
  if (override) return of(`Override for ${override.contextName} ${quoted(override.value)}`);
  const who = field === undefined ? 'Random bucket' : `${field} ${quoted(value)}: bucket`;
  return of(`${who} ${bucket}, variant range ${from}–${to} of ${totalWeight}`);
}

/** The result of an explained decision. Whether only the application or chance decides is known from the list. */
export const outcomeOf = (
  { isEnabled, reason, explanation, variant }: ExplainedDecision,
  { byChance, isUnknown }: Pick<Decision, 'byChance' | 'isUnknown'> = {},
): Decision => ({
  isEnabled,
  reason,
  explanation,
  ...(isEnabled && variant?.enabled && { variant: variant.name }),
  ...(byChance && { byChance }),
  ...(isUnknown && { isUnknown }),
});

/** Why a feature is enabled or disabled, in the order in which SDKs decide. */
export function reasonsOf(decision: ExplainedDecision): Reason[] {
  const { environment, isEnabledInCurrentEnvironment: isOn, parentDependencies } = decision;
  const parents = parentDependencies.map(parentReason);
  return [
    { verdict: verdictOf(isOn), words: `Enabled in ${environment}`, reasons: [] },
    ...(parents.length > 0
      ? [
          {
            verdict: verdictOf(!decision.hasUnsatisfiedDependency),
            words: 'Dependencies met',
            reasons: parents,
          },
        ]
      : []),
    strategiesReason(decision),
    ...variantReasons(decision),
  ];
}
