import { Text } from '@mantine/core';
import { agree, moreText } from '../../ui/format.ts';
import classes from '../flags.module.css';
import type { Part } from './differences.ts';
import { Sentence } from './sentence.tsx';
import { stickinessText } from './stickiness.ts';
import {
  detailPieces,
  hasRollout,
  rolloutOf,
  type SegmentNames,
  type StrategyContent,
  stickinessOf,
} from './strategy-sentence.ts';
import { VariantBar } from './variant-bar.tsx';

/** Constraints beyond these are counted: the editor shows them all. */
const shownDetails = 6;

interface Props {
  readonly content: StrategyContent;
  readonly names: SegmentNames;
  /** Which parts differ from a strategy that this one is compared with. */
  readonly marks?: ReadonlySet<Part>;
}

/** What follows the headline of a strategy: further constraints, its rollout, and its variants. */
export function StrategyBody({ content, names, marks = new Set() }: Props) {
  const details = detailPieces(content, names);
  const stickiness = stickinessOf(content);
  const mark = (part: Part) => marks.has(part) || undefined;
  return (
    <>
      {details.length > 0 && (
        <div
          className={classes.furtherDetails}
          data-marked={mark('constraints') ?? mark('segments')}
        >
          {details.slice(0, shownDetails).map((pieces, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a strategy may have the same constraint twice
            <Text size="sm" component="div" key={index}>
              <Sentence pieces={pieces} />
            </Text>
          ))}
          {details.length > shownDetails && (
            <Text size="sm" className="quiet">
              {moreText(details.length - shownDetails)}{' '}
              {agree(details.length - shownDetails, 'constraint')}
            </Text>
          )}
        </div>
      )}
      {hasRollout(content) && (
        <div className={classes.rollout} aria-hidden>
          <span style={{ width: `${rolloutOf(content)}%` }} />
        </div>
      )}
      {stickiness !== undefined && (
        <Text size="xs" className="quiet">
          <span data-marked={mark('stickiness')}>{stickinessText(stickiness)}</span>
        </Text>
      )}
      {content.variants.length > 0 && (
        <div data-marked={mark('variants')}>
          <VariantBar variants={content.variants} />
        </div>
      )}
    </>
  );
}
