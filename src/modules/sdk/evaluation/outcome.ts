import type { Evaluation } from './definition.ts';
import type { Facts } from './reading.ts';

/**
 * Why a decision came out as it did: the feature is off, it is on but not for this context, it is on
 * for everybody, for those who are meant, or for a share.
 */
export type Reason = 'off' | 'unmatched' | 'fixed' | 'targeted' | 'split';

/** Every decision there can be is made once, and has a number: deciding only picks one. */
export interface Outcome {
  readonly evaluation: Evaluation;
  readonly reason: Reason;
  /** Whether a variant of the feature has a payload, whoever gets it. */
  readonly hasPayloads: boolean;
}

/** The number of an outcome of a feature, where no context can change it, or what finds it. */
export type Decision = number | ((facts: Facts) => number);
