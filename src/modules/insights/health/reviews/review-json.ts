import type { ReviewAnswer } from './contract.ts';

interface Instants {
  readonly snoozedUntil: number | Date | null;
  readonly reviewedAt: number | Date;
}

type Stored = Pick<ReviewAnswer, 'permanent' | 'reason' | 'reviewedBy'> & Instants;

const text = (at: number | Date): string => new Date(at).toISOString();

/** Renders a review for responses. */
export const reviewJson = ({
  permanent,
  snoozedUntil,
  reason,
  reviewedBy,
  reviewedAt,
}: Stored): ReviewAnswer => ({
  permanent,
  ...(snoozedUntil !== null && { snoozedUntil: text(snoozedUntil) }),
  reason,
  reviewedBy,
  reviewedAt: text(reviewedAt),
});
