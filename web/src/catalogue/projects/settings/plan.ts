import type { Response } from '../../../api.ts';
import { invalidJson, plural } from '../../../ui/format.ts';

export type Plan = Response<'POST /api/admin/features-batch/validate'>['plan'];

export interface Step {
  /** In the preview: "Create 1 feature". */
  readonly text: string;
  /** Afterwards: "1 feature created". */
  readonly done: string;
  readonly items: readonly string[];
  /** Whether it deletes something. */
  readonly removes?: true;
}

/** What an import does, one step for each kind of change, with the things it changes. Removals come first. */
export function planSteps(plan: Plan, environment: string): Step[] {
  const step = (
    verb: string,
    participle: string,
    items: readonly string[],
    ...nouns: [one: string, many?: string]
  ): Step => {
    const what = plural(items.length, ...nouns);
    return { text: `${verb} ${what}`, done: `${what} ${participle}`, items };
  };
  const inEnvironment = ({ text, done, ...rest }: Step): Step => ({
    text: `${text} in ${environment}`,
    done: `${done} in ${environment}`,
    ...rest,
  });
  const strategyText = ({ featureName, name }: Plan['strategiesAdded'][number]) =>
    `${featureName}: ${name}`;
  const withVariants = plural(plan.variantsSet.length, 'feature');
  const steps: Step[] = [
    {
      ...step(
        'Remove',
        'removed',
        plan.strategiesRemoved.map(strategyText),
        'strategy',
        'strategies',
      ),
      removes: true,
    },
    step('Create', 'created', plan.featuresCreated, 'feature'),
    step('Update', 'updated', plan.featuresUpdated, 'feature'),
    step('Add', 'added', plan.strategiesAdded.map(strategyText), 'strategy', 'strategies'),
    {
      text: `Update variants of ${withVariants}`,
      done: `Variants of ${withVariants} updated`,
      items: plan.variantsSet,
    },
    inEnvironment(step('Enable', 'enabled', plan.switchedOn, 'feature')),
    inEnvironment(step('Disable', 'disabled', plan.switchedOff, 'feature')),
    step(
      'Add',
      'added',
      plan.tagsAdded.map(({ featureName, type, value }) => `${featureName}: ${type}:${value}`),
      'tag',
    ),
    step(
      'Set',
      'set',
      plan.dependenciesSet.map(({ featureName, parent }) => `${featureName} depends on ${parent}`),
      'dependency',
      'dependencies',
    ),
    step('Create', 'created', plan.contextFieldsCreated, 'context field'),
    step('Create', 'created', plan.tagTypesCreated, 'tag type'),
  ];
  return steps.filter(({ items }) => items.length > 0);
}

/** A document for an import, or why a text isn't one. */
export function readDocument(
  text: string,
): { readonly document: object } | { readonly fault: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('features' in value)) {
      return { fault: 'Not a valid export: the features list is missing' };
    }
    return { document: value };
  } catch (error) {
    return { fault: invalidJson(error) };
  }
}
