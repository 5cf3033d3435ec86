import { strategyDifferences } from '../../../flags/strategy/differences.ts';
import type { SegmentNames, StrategyContent } from '../../../flags/strategy/strategy-sentence.ts';
import { fieldChange } from '../../../ui/format.ts';

const status = ({ disabled }: StrategyContent) => (disabled ? 'disabled' : 'enabled');

/** What saving the default strategy of an environment changes: "production: rollout 10% → 50%". */
export const defaultStrategyChanges = (
  environment: string,
  before: StrategyContent,
  after: StrategyContent,
  names: SegmentNames,
): string[] =>
  strategyDifferences(before, after, names).map(({ part, words }) => {
    const change =
      part === 'disabled' ? fieldChange('status', status(before), status(after)) : words;
    return `${environment}: ${change}`;
  });
