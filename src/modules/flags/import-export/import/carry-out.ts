import type { Tx } from '../../../../platform/db/database.ts';
import { createContextField } from '../../../catalogue/context-fields/index.ts';
import { addTagsTo, ensureTagType } from '../../../catalogue/tags/index.ts';
import { record } from '../../../events/index.ts';
import {
  addDependencies,
  addParts,
  assemble,
  changeLockedFeature,
  type FeatureSpec,
  getTargetProject,
  type LockedFeature,
  setVariantsOf,
  switchFeatures,
  withdrawStrategiesIn,
} from '../../features/index.ts';
import { featuresImported } from './events.ts';
import type { FeaturePlan, ImportPlan } from './plan/feature-plan.ts';
import { changesNothing, countsOf, summaryOf } from './plan/summary.ts';

interface Import {
  readonly project: string;
  readonly environment: string;
  /** The features that exist. */
  readonly locked: readonly LockedFeature[];
  readonly plan: ImportPlan;
}

/**
 * Carries a plan out: new features first, then the features that exist. Takes as many statements for
 * thousands of features as for a few, except that each new context field and tag type, and each feature
 * whose metadata change, takes its own.
 */
export async function carryOut(
  tx: Tx,
  { project, environment, locked, plan }: Import,
): Promise<void> {
  if (changesNothing(plan)) return;
  for (const field of plan.contextFields) await createContextField(tx, field);
  for (const type of plan.tagTypes) await ensureTagType(tx, type);
  const specs = plan.features.flatMap((feature) => specOf(feature, environment));
  if (specs.length > 0) {
    const features = specs.map(({ feature }) => feature);
    await assemble(tx, await getTargetProject(tx, project, features), specs);
  }
  await changeExisting(
    tx,
    environment,
    plan.features.filter(({ creation }) => !creation),
    new Map(locked.map((feature) => [feature.name, feature])),
  );
  record(
    tx,
    featuresImported({
      project,
      environment,
      data: { features: plan.features.length, ...countsOf(summaryOf(plan)) },
    }),
  );
}

/** None for a feature that exists. */
function specOf(feature: FeaturePlan, environment: string): FeatureSpec[] {
  const { name, creation, tags, variants, added, enabled, dependencies } = feature;
  if (!creation) return [];
  return [
    {
      feature: { name, ...creation, tags },
      eventOrder: [
        variants ? [{ environment, variants }] : [],
        added.map((strategy) => ({ environment, strategy })),
        enabled ? [{ environment, enabled }] : [],
      ],
      dependencies,
    },
  ];
}

async function changeExisting(
  tx: Tx,
  environment: string,
  plans: readonly FeaturePlan[],
  locked: ReadonlyMap<string, LockedFeature>,
): Promise<void> {
  const features = await changeMetadata(tx, plans, locked);
  const plansWith = <Part>(part: (plan: FeaturePlan) => Part | undefined) =>
    plans.flatMap((plan) => {
      const own = part(plan);
      return own === undefined ? [] : [{ feature: featureNamed(features, plan.name), part: own }];
    });
  await setVariantsOf(
    tx,
    plansWith(({ variants }) => variants).map(({ feature, part }) => ({
      feature,
      variants: new Map([[environment, part]]),
    })),
  );
  const replaced = plansWith(({ removed }) => removed[0]).map(({ feature }) => feature);
  await withdrawStrategiesIn(tx, replaced, environment);
  await addParts(
    tx,
    plansWith(({ added }) => added).map(({ feature, part }) => ({
      feature,
      eventOrder: [part.map((strategy) => ({ environment, strategy }))],
    })),
  );
  const switched = plansWith(({ enabled }) => enabled);
  for (const enabled of [true, false]) {
    const features = switched.filter(({ part }) => part === enabled).map(({ feature }) => feature);
    await switchFeatures(tx, features, environment, enabled);
  }
  await addDependencies(
    tx,
    plansWith(({ dependencies }) => dependencies).flatMap(({ feature: child, part }) =>
      part.map((dependency) => ({ child, dependency })),
    ),
  );
}

/** Changes metadata and adds tags. Returns the features with both. */
async function changeMetadata(
  tx: Tx,
  plans: readonly FeaturePlan[],
  locked: ReadonlyMap<string, LockedFeature>,
): Promise<ReadonlyMap<string, LockedFeature>> {
  const features = new Map(locked);
  for (const { name, change } of plans) {
    if (!change) continue;
    features.set(name, await changeLockedFeature(tx, featureNamed(features, name), change));
  }
  const tagged = plans
    .filter(({ tags }) => tags.length > 0)
    .map(({ name, tags }) => ({ feature: featureNamed(features, name), tags }));
  const tags = await addTagsTo(tx, tagged);
  for (const [index, { feature }] of tagged.entries()) {
    features.set(feature.name, { ...feature, tags: tags[index] ?? [] });
  }
  return features;
}

/** Throws rather than lose a part of the plan. */
function featureNamed(features: ReadonlyMap<string, LockedFeature>, name: string): LockedFeature {
  const feature = features.get(name);
  if (!feature) throw new Error(`The feature '${name}' is to be changed, but was not locked`);
  return feature;
}
