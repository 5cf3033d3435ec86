import type { Evaluation } from './definition.ts';

/**
 * The reason of a decision: the feature is off; on but not for this context; on for everyone; on for targeted
 * contexts; or on for a share.
 */
export type Reason = 'off' | 'unmatched' | 'fixed' | 'targeted' | 'split';

/** A possible decision. Each is created once, by the compiler. */
export interface Outcome {
  readonly evaluation: Evaluation;
  readonly reason: Reason;
  /** Whether any variant of the feature has a payload. */
  readonly hasPayloads: boolean;
}
