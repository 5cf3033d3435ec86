import type { Response } from '../../../api.ts';
import { invalidJson, plural } from '../../../ui/format.ts';

export type Plan = Response<'POST /api/admin/features-batch/validate'>['plan'];

export interface Step {
  readonly text: string;
  readonly items: readonly string[];
}

/** What an import does, one sentence for each kind of change, with what it concerns. */
export function planSteps(plan: Plan, environment: string): Step[] {
  const steps: Step[] = [
    {
      text: `${plural(plan.featuresCreated.length, 'feature')} created`,
      items: plan.featuresCreated,
    },
    {
      text: `${plural(plan.featuresUpdated.length, 'feature')} changed`,
      items: plan.featuresUpdated,
    },
    {
      text: `${plural(plan.strategiesAdded.length, 'strategy', 'strategies')} added`,
      items: plan.strategiesAdded.map(({ featureName, name }) => `${featureName}: ${name}`),
    },
    {
      text: `${plural(plan.strategiesRemoved.length, 'strategy', 'strategies')} removed`,
      items: plan.strategiesRemoved.map(({ featureName, name }) => `${featureName}: ${name}`),
    },
    {
      text: `Variants of ${plural(plan.variantsSet.length, 'feature')} set`,
      items: plan.variantsSet,
    },
    {
      text: `${plural(plan.switchedOn.length, 'feature')} switched on in ${environment}`,
      items: plan.switchedOn,
    },
    {
      text: `${plural(plan.switchedOff.length, 'feature')} switched off in ${environment}`,
      items: plan.switchedOff,
    },
    {
      text: `${plural(plan.tagsAdded.length, 'tag')} added`,
      items: plan.tagsAdded.map(
        ({ featureName, type, value }) => `${featureName}: ${type}:${value}`,
      ),
    },
    {
      text: `${plural(plan.dependenciesSet.length, 'dependency', 'dependencies')} set`,
      items: plan.dependenciesSet.map(
        ({ featureName, parent }) => `${featureName} depends on ${parent}`,
      ),
    },
    {
      text: `${plural(plan.contextFieldsCreated.length, 'context field')} created`,
      items: plan.contextFieldsCreated,
    },
    {
      text: `${plural(plan.tagTypesCreated.length, 'tag type')} created`,
      items: plan.tagTypesCreated,
    },
  ];
  return steps.filter(({ items }) => items.length > 0);
}

/** A document for an import, or why a text is none. */
export function readDocument(
  text: string,
): { readonly document: object } | { readonly fault: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('features' in value)) {
      return { fault: 'This is no export: it has no list of features.' };
    }
    return { document: value };
  } catch (error) {
    return { fault: invalidJson(error) };
  }
}
