import type { Tx } from '../../../../platform/db/database.ts';
import { createContextField } from '../../../catalogue/context-fields/index.ts';
import { addTagsTo, ensureTagType } from '../../../catalogue/tags/index.ts';
import { record } from '../../../events/index.ts';
import {
  addDependencies,
  changeLockedFeature,
  createFeatures,
  type LockedFeature,
  setVariantsOf,
  switchFeatures,
} from '../../features/index.ts';
import { addStrategiesTo, withdrawStrategiesIn } from '../../strategies/index.ts';
import { featuresImported } from '../events.ts';
import { changesNothing, countsOf, outlookOf } from '../plan/outlook.ts';
import type { FeaturePlan, Plan } from '../plan/planned.ts';

interface Import {
  readonly project: string;
  readonly environment: string;
  /** The features that exist, locked. */
  readonly locked: readonly LockedFeature[];
  readonly planned: Plan;
}

type Features = ReadonlyMap<string, LockedFeature>;

/** Every feature of a plan was locked or has been created: to pass one over would lose what it asks for. */
function featureNamed(features: Features, name: string): LockedFeature {
  const feature = features.get(name);
  if (!feature)
    throw new Error(`The feature '${name}' was planned, but neither locked nor created`);
  return feature;
}

/**
 * Does what a plan says, part by part. Features are created, tagged, switched and get their
 * strategies, variants and parents in as many statements for a thousand as for a few. Each new
 * context field and tag type, and each feature whose metadata change, takes statements of its own.
 */
export async function carryOut(
  tx: Tx,
  { project, environment, locked, planned }: Import,
): Promise<void> {
  if (changesNothing(planned)) return;
  for (const field of planned.contextFields) await createContextField(tx, field);
  for (const type of planned.tagTypes) await ensureTagType(tx, type);
  const features = await createAndChange(tx, { project, locked, planned });
  const having = <Part>(part: (feature: FeaturePlan) => Part | undefined) =>
    planned.features.flatMap((each) => {
      const own = part(each);
      return own === undefined ? [] : [{ feature: featureNamed(features, each.name), part: own }];
    });

  await setVariantsOf(
    tx,
    having(({ variants }) => variants).map(({ feature, part }) => ({
      feature,
      variants: new Map([[environment, part]]),
    })),
  );
  await withdrawStrategiesIn(
    tx,
    having(({ removed }) => removed[0]).map(({ feature }) => feature),
    environment,
  );
  await addStrategiesTo(
    tx,
    having(({ added }) => added).flatMap(({ feature, part }) =>
      part.map((strategy) => ({ feature, environment, strategy })),
    ),
  );
  const switched = having(({ enabled }) => enabled);
  for (const enabled of [true, false]) {
    const switching = switched.filter(({ part }) => part === enabled);
    await switchFeatures(
      tx,
      switching.map(({ feature }) => feature),
      environment,
      enabled,
    );
  }
  await addDependencies(
    tx,
    having(({ dependencies }) => dependencies).flatMap(({ feature: child, part }) =>
      part.map((dependency) => ({ child, dependency })),
    ),
  );
  record(
    tx,
    featuresImported({
      project,
      environment,
      data: { features: planned.features.length, ...countsOf(outlookOf(planned)) },
    }),
  );
}

/** All features of the plan, as they are with their new metadata and tags. */
async function createAndChange(
  tx: Tx,
  { project, locked, planned }: Pick<Import, 'project' | 'locked' | 'planned'>,
): Promise<Features> {
  const created = await createFeatures(
    tx,
    project,
    planned.features.flatMap(({ name, creation }) => (creation ? [{ name, ...creation }] : [])),
  );
  const features = new Map([...locked, ...created].map((feature) => [feature.name, feature]));
  for (const { name, change } of planned.features) {
    if (!change) continue;
    const feature = featureNamed(features, name);
    features.set(name, await changeLockedFeature(tx, feature, change));
  }
  const tagged = planned.features
    .filter(({ tags }) => tags.length > 0)
    .map(({ name, tags }) => ({ feature: featureNamed(features, name), tags }));
  const now = await addTagsTo(tx, tagged);
  for (const [index, { feature }] of tagged.entries()) {
    features.set(feature.name, { ...feature, tags: now[index] ?? [] });
  }
  return features;
}
