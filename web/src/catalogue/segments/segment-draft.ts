import type { Constraint } from '../../flags/strategy/strategy-sentence.ts';

export interface SegmentDraft {
  readonly name: string;
  readonly description: string;
  /** Empty: every project can use it. */
  readonly project: string;
  readonly constraints: readonly Constraint[];
}
