import { maxFeatures } from '../../../features/index.ts';
import type { Current } from './current.ts';
import type { FeaturePlan, ImportPlan } from './feature-plan.ts';
import type { Findings } from './findings.ts';
import { keyOf } from './tags.ts';

export function refuseTooManyFeatures(
  { project: { id, featureLimit }, featureCount: { own, all } }: Current,
  features: readonly FeaturePlan[],
  errors: Findings,
): void {
  const created = features.filter(({ creation }) => creation).map(({ name }) => name);
  if (created.length === 0) return;
  if (featureLimit !== null && own + created.length > featureLimit) {
    errors.add(
      `Project '${id}' has ${own} of ${featureLimit} features. These don't fit`,
      ...created,
    );
  }
  if (all + created.length > maxFeatures) {
    errors.add(`Limit of ${maxFeatures} features in all projects exceeded`, ...created);
  }
}

/** They are kept in memory until the commit, and the events of all other transactions wait for them. */
const maxEvents = 20_000;

const eventsOf = (feature: FeaturePlan): number => {
  const { creation, change, variants, enabled } = feature;
  const single = [creation, change, change?.stale, variants, enabled];
  return (
    single.filter((part) => part !== undefined).length +
    feature.tags.length +
    feature.removed.length +
    feature.added.length +
    feature.dependencies.length
  );
};

/** Assumes that every tag has to be created, which is an event of its own. */
export function refuseTooManyEvents(
  {
    contextFields,
    tagTypes,
    features,
  }: Pick<ImportPlan, 'contextFields' | 'tagTypes' | 'features'>,
  errors: Findings,
): void {
  const tags = new Set(features.flatMap((feature) => feature.tags.map(keyOf)));
  const parts = features.reduce((sum, feature) => sum + eventsOf(feature), 0);
  // The last event is that of the import as a whole.
  const events = contextFields.length + tagTypes.length + tags.size + parts + 1;
  if (events <= maxEvents) return;
  errors.add(`Import too large: ${events} events, the maximum is ${maxEvents}. Split the file`);
}
