import { type ExplainedDecision, variantReasons } from '../../sdk/playground/reasons.ts';
import { headlinePieces, plain } from '../strategy/strategy-sentence.ts';

type Strategy = ExplainedDecision['strategies']['data'][number];

/** As its card calls it. */
function nameOf({ title, segments, ...strategy }: Strategy): string {
  if (title !== undefined && title !== '') return title;
  const names = new Map(segments.map(({ id, name }) => [id, name === '' ? `#${id}` : name]));
  return plain(headlinePieces({ ...strategy, segments: [...names.keys()], variants: [] }, names));
}

/** Why a strategy matches or does not. What the server says begins with "Matches" or "Doesn't match". */
const strategyWords = (strategy: Strategy): string =>
  `“${nameOf(strategy)}” ${strategy.explanation.charAt(0).toLowerCase()}${strategy.explanation.slice(1)}`;

function summaryOf({ reason, environment, strategies, explanation }: ExplainedDecision): string[] {
  const { length } = strategies.data;
  switch (reason) {
    case 'off':
      return [`The feature is disabled in ${environment}.`];
    case 'no-strategies':
      return ['No strategies: enabled for everyone.'];
    case 'parents':
      return [explanation];
    case 'strategy-holds':
      return length === 1 ? [] : [`At least one of ${length} strategies matches.`];
    case 'no-strategy-holds':
      // The server says of a single one what the strategy says itself.
      return length === 1 ? [] : [explanation];
  }
}

/** Why a feature is enabled or disabled: sentences about the whole, and one for each strategy. */
export const decisionWords = (decision: ExplainedDecision) => ({
  whole: [
    ...summaryOf(decision),
    ...variantReasons(decision).map(
      ({ words, note }) => `${words}${note === undefined ? '' : `: ${note}`}.`,
    ),
  ],
  strategies: decision.strategies.data.map(strategyWords),
  /** Whether the strategies decided nothing, because the feature is disabled in the environment. */
  isHypothetical: decision.reason === 'off',
});
