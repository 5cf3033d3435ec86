import type { Tx } from '../../../../platform/db/database.ts';
import { record } from '../../../events/index.ts';
import { featureMetadataUpdated, type ReviewFacts } from '../events.ts';
import type { LockedFeature } from '../lock.ts';
import { aboutFeature, factsOf } from '../lock.ts';

/** Reviews are stored by the health module. The log shows them as changes of the feature. */
export function recordReview(
  tx: Tx,
  feature: LockedFeature,
  { before, after }: { readonly before: ReviewFacts; readonly after: ReviewFacts },
): void {
  const facts = factsOf(feature);
  record(
    tx,
    featureMetadataUpdated({
      ...aboutFeature(feature),
      data: { ...facts, review: after },
      preData: { ...facts, review: before },
    }),
  );
}
