import type { Evaluation } from './definition.ts';
import type { Facts } from './reading.ts';

/**
 * The reason of a decision: the feature is off; on but not for this context; on for everybody; on for targeted
 * contexts; or on for a share.
 */
export type Reason = 'off' | 'unmatched' | 'fixed' | 'targeted' | 'split';

/** A possible decision. Each is created once and numbered, so that evaluation only selects one. */
export interface Outcome {
  readonly evaluation: Evaluation;
  readonly reason: Reason;
  /** Whether any variant of the feature has a payload. */
  readonly hasPayloads: boolean;
}

/** The number of a feature's outcome if it is the same for every context; otherwise a function that selects it. */
export type Decision = number | ((facts: Facts) => number);
