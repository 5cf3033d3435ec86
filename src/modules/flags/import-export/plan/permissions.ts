import type { Actor } from '../../../../platform/db/database.ts';
import type { Finding, Outlook } from '../contract/endpoints.ts';
import { outlookOf } from './outlook.ts';
import type { Plan } from './planned.ts';

const places = ['installation', 'project', 'environment'] as const;
type Place = (typeof places)[number];

interface Where {
  readonly project: string;
  readonly environment: string;
}

/** All permissions that an import may need, each with whether it really does. */
const permissions: Readonly<
  Record<Place, Readonly<Record<string, (outlook: Outlook, plan: Plan) => boolean>>>
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

/** Of all these permissions, those that the actor lacks. */
function lacking(
  { may }: Pick<Actor, 'may'>,
  { project, environment }: Where,
): Readonly<Record<Place, readonly string[]>> {
  const at = (place: Place, ...scope: string[]) =>
    Object.keys(permissions[place]).filter((permission) => !may(permission, ...scope));
  return {
    installation: at('installation'),
    project: at('project', project),
    environment: at('environment', project, environment),
  };
}

/** Whether the actor may import whatever a document has. */
export function mayAll(actor: Pick<Actor, 'may'>, where: Where): boolean {
  const lacked = lacking(actor, where);
  return places.every((place) => lacked[place].length === 0);
}

/** Of the permissions that a plan needs, those that the actor lacks, by where they are needed. */
export function lacks(actor: Pick<Actor, 'may'>, where: Where, plan: Plan): Finding[] {
  const { project, environment } = where;
  const messages: Readonly<Record<Place, string>> = {
    installation: 'You need these permissions',
    project: `You need these permissions in the project '${project}'`,
    environment: `You need these permissions in the environment '${environment}' of the project '${project}'`,
  };
  const lacked = lacking(actor, where);
  const outlook = outlookOf(plan);
  return places.flatMap((place) => {
    const affectedItems = lacked[place].filter((permission) =>
      permissions[place][permission]?.(outlook, plan),
    );
    return affectedItems.length > 0 ? [{ message: messages[place], affectedItems }] : [];
  });
}
