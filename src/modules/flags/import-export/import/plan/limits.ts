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
      `The project '${id}' has ${own} of at most ${featureLimit} features, so these features cannot be added`,
      ...created,
    );
  }
  if (all + created.length > maxFeatures) {
    errors.add(
      `The limit of ${maxFeatures} features in all projects would be exceeded`,
      ...created,
    );
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
  errors.add(
    `The import could record ${events} events, but at most ${maxEvents} are allowed. Split the document`,
  );
}
