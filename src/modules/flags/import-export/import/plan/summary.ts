import type { PlanSummary } from '../contract.ts';
import { changesAnything, type FeaturePlan, type ImportPlan } from './feature-plan.ts';

const namesOf = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);

/** The plan as `validate` answers it. */
export function summaryOf({ contextFields, tagTypes, features }: ImportPlan): PlanSummary {
  const existing = features.filter(({ creation }) => !creation);
  const listed = <Item>(parts: (feature: FeaturePlan) => readonly Item[]) =>
    features.flatMap((feature) => parts(feature).map((part) => [feature.name, part] as const));
  return {
    featuresCreated: namesOf(features.filter(({ creation }) => creation)),
    featuresUpdated: namesOf(existing.filter(changesAnything)),
    featuresUnchanged: namesOf(existing.filter((feature) => !changesAnything(feature))),
    strategiesAdded: listed(({ added }) => added).map(([featureName, { name }]) => ({
      featureName,
      name,
    })),
    strategiesRemoved: listed(({ removed }) => removed).map(([featureName, { id, name }]) => ({
      featureName,
      id,
      name,
    })),
    variantsSet: namesOf(features.filter(({ variants }) => variants)),
    switchedOn: namesOf(features.filter(({ enabled }) => enabled === true)),
    switchedOff: namesOf(features.filter(({ enabled }) => enabled === false)),
    tagsAdded: listed(({ tags }) => tags).map(([featureName, tag]) => ({ featureName, ...tag })),
    dependenciesSet: listed(({ dependencies }) => dependencies).map(
      ([featureName, { feature: parent }]) => ({ featureName, parent }),
    ),
    contextFieldsCreated: namesOf(contextFields),
    tagTypesCreated: namesOf(tagTypes),
  };
}

/** Counts every kind of change. */
export const countsOf = ({
  featuresUnchanged: _,
  ...summary
}: PlanSummary): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(summary).map(([part, items]) => [part, items.length]));

export const changesNothing = (plan: ImportPlan): boolean =>
  Object.values(countsOf(summaryOf(plan))).every((count) => count === 0);
