import type { Fault } from '../../../../platform/errors.ts';
import { checked } from '../../../../platform/http/checked.ts';
import { type ReviewWish, reviewContract } from './contract.ts';

/** What is undefined has faults of its own: both have a default. */
function wishFaults({ snoozedUntil, permanent }: Partial<ReviewWish>): Fault[] {
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
  putReview: ({ body }) => wishFaults(body),
});
