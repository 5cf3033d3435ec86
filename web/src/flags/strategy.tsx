import { Text } from '@mantine/core';
import classes from './flags.module.css';
import { headlinePieces, type SegmentNames, type StrategyContent } from './sentence.ts';
import { Sentence } from './strategy/sentence.tsx';
import { StrategyBody } from './strategy/strategy-body.tsx';

interface Props {
  readonly strategy: StrategyContent;
  readonly segmentNames: SegmentNames;
}

/** A strategy to read, as sentences. */
export const StrategyCard = ({ strategy, segmentNames }: Props) => (
  <div
    className={classes.strategy}
    data-state="read"
    data-disabled={strategy.disabled || undefined}
  >
    <Text fw={600} component="div">
      <Sentence pieces={headlinePieces(strategy, segmentNames)} />
    </Text>
    {strategy.title && (
      <Text size="sm" className="quiet">
        {strategy.title}
      </Text>
    )}
    <StrategyBody content={strategy} names={segmentNames} />
  </div>
);
