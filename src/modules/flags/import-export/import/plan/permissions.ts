import type { Actor } from '../../../../../platform/actor.ts';
import type { Finding, PlanSummary } from '../contract.ts';
import type { ImportPlan } from './feature-plan.ts';
import { summaryOf } from './summary.ts';

const scopes = ['installation', 'project', 'environment'] as const;
type Scope = (typeof scopes)[number];

interface ImportTarget {
  readonly project: string;
  readonly environment: string;
}

/** All permissions that an import may need. Each function says whether a plan needs it. */
const permissions: Readonly<
  Record<Scope, Readonly<Record<string, (summary: PlanSummary, plan: ImportPlan) => boolean>>>
> = {
  installation: {
    CREATE_CONTEXT_FIELD: ({ contextFieldsCreated }) => contextFieldsCreated.length > 0,
    CREATE_TAG_TYPE: ({ tagTypesCreated }) => tagTypesCreated.length > 0,
  },
  project: {
    CREATE_FEATURE: ({ featuresCreated }) => featuresCreated.length > 0,
    UPDATE_FEATURE: (_, { features }) =>
      features.some(({ creation, change, tags }) => !creation && (change || tags.length > 0)),
    UPDATE_FEATURE_DEPENDENCY: ({ dependenciesSet }) => dependenciesSet.length > 0,
  },
  environment: {
    CREATE_FEATURE_STRATEGY: ({ strategiesAdded }) => strategiesAdded.length > 0,
    DELETE_FEATURE_STRATEGY: ({ strategiesRemoved }) => strategiesRemoved.length > 0,
    UPDATE_FEATURE_ENVIRONMENT_VARIANTS: ({ variantsSet }) => variantsSet.length > 0,
    UPDATE_FEATURE_ENVIRONMENT: ({ switchedOn, switchedOff }) =>
      switchedOn.length + switchedOff.length > 0,
  },
};

/** Those of all these permissions that the actor does not have. */
function missingOfAll(
  { may }: Pick<Actor, 'may'>,
  { project, environment }: ImportTarget,
): Readonly<Record<Scope, readonly string[]>> {
  const at = (scope: Scope, ...names: string[]) =>
    Object.keys(permissions[scope]).filter((permission) => !may(permission, ...names));
  return {
    installation: at('installation'),
    project: at('project', project),
    environment: at('environment', project, environment),
  };
}

/** Whether the actor may import any document. */
export function hasAllPermissions(actor: Pick<Actor, 'may'>, target: ImportTarget): boolean {
  const missing = missingOfAll(actor, target);
  return scopes.every((scope) => missing[scope].length === 0);
}

/** Those of the permissions that the plan needs which the actor does not have, by scope. */
export function missingPermissions(
  actor: Pick<Actor, 'may'>,
  target: ImportTarget,
  plan: ImportPlan,
): Finding[] {
  const { project, environment } = target;
  const messages: Readonly<Record<Scope, string>> = {
    installation: 'You need these permissions',
    project: `You need these permissions in the project '${project}'`,
    environment: `You need these permissions in the environment '${environment}' of the project '${project}'`,
  };
  const missing = missingOfAll(actor, target);
  const summary = summaryOf(plan);
  return scopes.flatMap((scope) => {
    const affectedItems = missing[scope].filter((permission) =>
      permissions[scope][permission]?.(summary, plan),
    );
    return affectedItems.length > 0 ? [{ message: messages[scope], affectedItems }] : [];
  });
}
