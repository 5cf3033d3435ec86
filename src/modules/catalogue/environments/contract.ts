import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../platform/contract/endpoint.ts';
import { atMoment, named, nameText } from '../../../platform/contract/schema.ts';
import { urlName } from '../../../platform/contract/url-name.ts';
import { UsesSchema, usesDescription } from '../uses/uses-schema.ts';

const tag = 'Environments';

const maxSortOrder = 2_147_483_647;
const sortOrder = Type.Integer({
  minimum: 0,
  maximum: maxSortOrder,
  description: 'Position in lists, lowest first; ties are sorted by name',
});
const enabled = Type.Boolean({ description: 'Whether new projects get the environment' });

const approvals = {
  minimum: 1,
  maximum: 10,
  description:
    'Enables change requests with this number of required approvals in projects that get the environment',
};
const requiredApprovals = Type.Integer(approvals);
const setRequiredApprovals = Type.Optional(
  nullable(Type.Integer({ ...approvals, description: `${approvals.description}; null: none` })),
);

/** The name of a new environment. Reserved words are paths beside the environments, and the wildcard. */
const environmentName = Type.String({
  ...urlName({
    description: 'Unique name, used in paths and API tokens',
    reserved: ['*', 'validate', 'update', 'sort-order', 'project'],
  }),
  allOf: [
    {
      pattern: '^[^.]*$',
      'x-fault':
        'must not contain a dot, because tokens separate environment and secret with a dot',
    },
  ],
});

const environmentType = nameText({
  maxLength: 100,
  description: 'development, test, pre-production, production, or any other text',
});

export const EnvironmentSchema = named(
  'environmentSchema',
  Type.Object({
    name: Type.String(),
    type: Type.String(),
    enabled,
    protected: Type.Boolean({
      description: 'Whether the environment cannot be changed or deleted',
    }),
    sortOrder,
    requiredApprovals: Type.Optional(requiredApprovals),
  }),
);
export type Environment = Static<typeof EnvironmentSchema>;

const ListedEnvironmentSchema = named(
  'environmentSchema',
  Type.Object({
    ...EnvironmentSchema.properties,
    projectCount: Type.Integer({
      description: 'Number of active projects with this environment that you can see',
    }),
    enabledToggleCount: Type.Integer({
      description: 'Number of active features enabled in it, in projects that you can see',
    }),
    apiTokenCount: Type.Integer({
      description:
        'Number of valid API tokens for it, for all projects or for one that you can see',
    }),
  }),
);
export type ListedEnvironment = Static<typeof ListedEnvironmentSchema>;

const params = Type.Object({ name: Type.String() });

const CloneEnvironmentSchema = named(
  'cloneEnvironmentSchema',
  Type.Object({
    name: environmentName,
    type: Type.Optional(environmentType),
    projects: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 1000,
        uniqueItems: true,
        description:
          'Projects that get the clone; empty or omitted: all projects that have the original',
      }),
    ),
    clonePermissions: withDefault(
      Type.Boolean({
        description: 'Whether roles limited to the original also apply to the clone',
      }),
      true,
    ),
  }),
);
export type CloneEnvironment = Static<typeof CloneEnvironmentSchema>;

export const contract = {
  listEnvironments: endpoint({
    method: 'GET',
    path: '/api/admin/environments',
    id: 'getAllEnvironments',
    tag,
    summary: 'List environments in sort order',
    permission: 'none',
    query: atMoment,
    response: named(
      'environmentsSchema',
      Type.Object({
        version: Type.Integer(),
        environments: Type.Array(ListedEnvironmentSchema),
      }),
    ),
  }),

  getEnvironment: endpoint({
    method: 'GET',
    path: '/api/admin/environments/:name',
    id: 'getEnvironment',
    tag,
    summary: 'Get an environment',
    permission: 'none',
    params,
    query: atMoment,
    response: ListedEnvironmentSchema,
  }),

  listEnvironmentUses: endpoint({
    method: 'GET',
    path: '/api/admin/environments/:name/uses',
    id: 'getEnvironmentUses',
    tag,
    summary: 'List where an environment is used',
    description: `Features are those that are enabled in it. ${usesDescription}`,
    permission: 'none',
    params,
    response: UsesSchema,
  }),

  createEnvironment: endpoint({
    method: 'POST',
    path: '/api/admin/environments',
    id: 'createEnvironment',
    conflict: 'the name is taken',
    tag,
    summary: 'Create an environment',
    description: 'The environment belongs to no project until you add it to one.',
    permission: 'ADMIN',
    body: named(
      'createEnvironmentSchema',
      Type.Object({
        name: environmentName,
        type: environmentType,
        enabled: withDefault(enabled, true),
        sortOrder: Type.Optional(sortOrder),
        requiredApprovals: setRequiredApprovals,
      }),
    ),
    response: EnvironmentSchema,
    status: 201,
    locatedBy: 'name',
  }),

  validateEnvironmentName: endpoint({
    method: 'POST',
    path: '/api/admin/environments/validate',
    id: 'validateEnvironmentName',
    conflict: 'the name is taken',
    tag,
    summary: 'Check whether an environment name is valid and available',
    permission: 'ADMIN',
    duringMaintenance: true,
    body: Type.Object({ name: environmentName }),
  }),

  updateSortOrder: endpoint({
    method: 'PUT',
    path: '/api/admin/environments/sort-order',
    id: 'updateSortOrder',
    tag,
    summary: 'Set the sort order of environments',
    permission: 'ADMIN',
    body: named(
      'sortOrderSchema',
      Type.Unsafe<Record<string, number>>({
        type: 'object',
        additionalProperties: sortOrder,
        description: 'The position of each environment, by name',
      }),
    ),
  }),

  updateEnvironment: endpoint({
    method: 'PUT',
    path: '/api/admin/environments/update/:name',
    id: 'updateEnvironment',
    tag,
    summary: 'Update the type or sort order of an environment',
    permission: 'ADMIN',
    params,
    body: named(
      'updateEnvironmentSchema',
      Type.Object({
        type: Type.Optional(environmentType),
        sortOrder: Type.Optional(sortOrder),
        requiredApprovals: setRequiredApprovals,
      }),
    ),
    response: EnvironmentSchema,
  }),

  switchEnvironmentOn: endpoint({
    method: 'POST',
    path: '/api/admin/environments/:name/on',
    id: 'toggleEnvironmentOn',
    tag,
    summary: 'Enable an environment',
    description: 'New projects get it. Projects and features that exist are not affected.',
    permission: 'ADMIN',
    params,
    status: 204,
  }),

  switchEnvironmentOff: endpoint({
    method: 'POST',
    path: '/api/admin/environments/:name/off',
    id: 'toggleEnvironmentOff',
    tag,
    summary: 'Disable an environment',
    description:
      'New projects no longer get it. Projects and features that exist are not affected.',
    permission: 'ADMIN',
    params,
    status: 204,
  }),

  deleteEnvironment: endpoint({
    method: 'DELETE',
    path: '/api/admin/environments/:name',
    id: 'removeEnvironment',
    tag,
    summary: 'Delete an environment that no project uses',
    permission: 'ADMIN',
    params,
  }),

  cloneEnvironment: endpoint({
    method: 'POST',
    path: '/api/admin/environments/:name/clone',
    id: 'cloneEnvironment',
    conflict: 'the name is taken',
    tag: 'Environments',
    summary: 'Clone an environment with its configuration',
    description:
      'In each project, the clone gets the default strategy and the change request settings of the original, and the strategies, variants, and enabled states of all features.',
    permission: 'ADMIN',
    params: Type.Object({ name: Type.String() }),
    body: CloneEnvironmentSchema,
    response: EnvironmentSchema,
  }),
};
