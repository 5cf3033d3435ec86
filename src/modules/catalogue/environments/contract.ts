import { type Static, Type } from 'typebox';
import { endpoint, withDefault } from '../../../platform/contract/endpoint.ts';
import { named, notSupported } from '../../../platform/contract/schema.ts';
import { urlName } from '../../../platform/contract/url-name.ts';

const tag = 'Environments';

const maxSortOrder = 2_147_483_647;
const sortOrder = Type.Integer({
  minimum: 0,
  maximum: maxSortOrder,
  description: 'Place in lists, lowest first; equals are ordered by name',
});
const enabled = Type.Boolean({ description: 'Whether the environment is offered at all' });

/** Whoever asks for approvals believes afterwards that changes wait for them. */
const noApprovals = notSupported('there are no change requests yet, and nothing would be guarded');

/** Of a new environment; the reserved words are paths beside the environments, and what stands for all. */
const environmentName = Type.String({
  ...urlName({
    description: 'Unique name, part of addresses and of the tokens of SDKs',
    reserved: ['*', 'validate', 'update', 'sort-order', 'project'],
  }),
  allOf: [
    {
      pattern: '^[^.]*$',
      'x-fault': 'must not contain a dot: tokens separate environment and secret by one',
    },
  ],
});

const environmentType = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  'x-fault': 'must be 1 to 100 characters, not all of them blank',
  description: 'Kind of environment: development, test, pre-production, production, or any other',
});

export const EnvironmentSchema = named(
  'environmentSchema',
  Type.Object({
    name: Type.String(),
    type: Type.String(),
    enabled,
    protected: Type.Boolean({
      description: 'A protected environment can be neither changed nor deleted',
    }),
    sortOrder,
  }),
);
export type Environment = Static<typeof EnvironmentSchema>;

const ListedEnvironmentSchema = named(
  'environmentSchema',
  Type.Object({
    ...EnvironmentSchema.properties,
    projectCount: Type.Integer({
      description: 'Living projects that have it, of those you may see',
    }),
    enabledToggleCount: Type.Integer({
      description: 'Living features that are on in it, of the projects that you may see',
    }),
    apiTokenCount: Type.Integer({
      description: 'Valid API tokens for it, for all projects or for one that you may see',
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
        description: 'Projects that get the copy; none, or left out: all that have the original',
      }),
    ),
    clonePermissions: withDefault(
      Type.Boolean({
        description:
          'Whether roles that permit something in the original alone permit it in the copy',
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
    summary: 'All environments, in their order',
    permission: 'none',
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
    summary: 'One environment',
    permission: 'none',
    params,
    response: ListedEnvironmentSchema,
  }),

  createEnvironment: endpoint({
    method: 'POST',
    path: '/api/admin/environments',
    id: 'createEnvironment',
    conflict: 'the name is taken',
    tag,
    summary: 'Create an environment',
    description: 'No project has it until it is added to one.',
    permission: 'ADMIN',
    body: named(
      'createEnvironmentSchema',
      Type.Object({
        name: environmentName,
        type: environmentType,
        enabled: withDefault(enabled, true),
        sortOrder: Type.Optional(sortOrder),
        requiredApprovals: noApprovals,
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
    summary: 'Whether a name is well formed and free',
    permission: 'ADMIN',
    duringMaintenance: true,
    body: Type.Object({ name: environmentName }),
  }),

  updateSortOrder: endpoint({
    method: 'PUT',
    path: '/api/admin/environments/sort-order',
    id: 'updateSortOrder',
    tag,
    summary: 'Place several environments at once',
    permission: 'ADMIN',
    body: named(
      'sortOrderSchema',
      Type.Unsafe<Record<string, number>>({
        type: 'object',
        additionalProperties: sortOrder,
        description: 'The place of each environment, by its name',
      }),
    ),
  }),

  updateEnvironment: endpoint({
    method: 'PUT',
    path: '/api/admin/environments/update/:name',
    id: 'updateEnvironment',
    tag,
    summary: 'Change the type or place of an environment',
    permission: 'ADMIN',
    params,
    body: named(
      'updateEnvironmentSchema',
      Type.Object({
        type: Type.Optional(environmentType),
        sortOrder: Type.Optional(sortOrder),
        requiredApprovals: noApprovals,
      }),
    ),
    response: EnvironmentSchema,
  }),

  switchEnvironmentOn: endpoint({
    method: 'POST',
    path: '/api/admin/environments/:name/on',
    id: 'toggleEnvironmentOn',
    tag,
    summary: 'Offer an environment',
    permission: 'ADMIN',
    params,
    status: 204,
  }),

  switchEnvironmentOff: endpoint({
    method: 'POST',
    path: '/api/admin/environments/:name/off',
    id: 'toggleEnvironmentOff',
    tag,
    summary: 'No longer offer an environment',
    permission: 'ADMIN',
    params,
    status: 204,
  }),

  deleteEnvironment: endpoint({
    method: 'DELETE',
    path: '/api/admin/environments/:name',
    id: 'removeEnvironment',
    tag,
    summary: 'Delete an environment that no project has; its API tokens are revoked',
    permission: 'ADMIN',
    params,
  }),

  cloneEnvironment: endpoint({
    method: 'POST',
    path: '/api/admin/environments/:name/clone',
    id: 'cloneEnvironment',
    conflict: 'the name is taken',
    tag: 'Environments',
    summary:
      'Copy an environment into the projects that have it, with all that features have in it',
    description:
      'In the copy each project has its default strategy, and each feature its strategies and variants; it is on where it was.',
    permission: 'ADMIN',
    params: Type.Object({ name: Type.String() }),
    body: CloneEnvironmentSchema,
    response: EnvironmentSchema,
  }),
};
