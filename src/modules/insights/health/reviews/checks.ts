import type { Fault } from '../../../../platform/errors.ts';
import { checked } from '../../../../platform/http/checked.ts';
import { reviewContract, type SetReview } from './contract.ts';

/** Undefined values have faults of their own, because both have a default. */
function snoozeFaults({ snoozedUntil, permanent }: Partial<SetReview>): Fault[] {
  const path = '/body/snoozedUntil';
  if (permanent === true && snoozedUntil) {
    return [{ path, message: `${path} must be omitted for a permanent feature` }];
  }
  if (permanent === false && snoozedUntil === null) {
    return [{ path, message: `${path} is missing: send it, or send permanent as true` }];
  }
  return [];
}

export const reviewEndpoints = checked(reviewContract, {
  putReview: ({ body }) => snoozeFaults(body),
  putReviews: ({ body }) => snoozeFaults(body),
});
