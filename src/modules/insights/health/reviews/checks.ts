import type { Fault } from '../../../../platform/errors.ts';
import type { Checks } from '../../../../platform/http/checked.ts';
import type { reviewContract, SetReview } from './contract.ts';

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

export const checks = {
  putReview: ({ body }) => snoozeFaults(body),
  putReviews: ({ body }) => snoozeFaults(body),
} satisfies Checks<typeof reviewContract>;
