import type { Tx } from '../../../../platform/db/database.ts';
import { record } from '../../../events/index.ts';
import { featureMetadataUpdated, type ReviewFacts } from '../events.ts';
import type { LockedFeature } from '../lock.ts';
import { factsOf, placeOf } from '../lock.ts';

/** What people say of the age of a feature is kept elsewhere; the log tells it as a change of the feature. */
export function recordReview(
  tx: Tx,
  feature: LockedFeature,
  { before, after }: { readonly before: ReviewFacts; readonly after: ReviewFacts },
): void {
  const facts = factsOf(feature);
  record(
    tx,
    featureMetadataUpdated({
      ...placeOf(feature),
      data: { ...facts, review: after },
      preData: { ...facts, review: before },
    }),
  );
}
