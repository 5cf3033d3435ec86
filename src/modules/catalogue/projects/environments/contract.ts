import { Type } from 'typebox';
import { endpoint, nullable } from '../../../../platform/contract/endpoint.ts';
import { atMoment, named, notSupported } from '../../../../platform/contract/schema.ts';
import { EnvironmentSchema } from '../../environments/contract.ts';
import { DefaultStrategySchema, SetDefaultStrategySchema } from './default-strategy-schema.ts';

const tag = 'Environments';
const scope = 'projectId';

const projectParams = Type.Object({ projectId: Type.String() });
const params = Type.Object({ projectId: Type.String(), environment: Type.String() });

/** The environments of a project. Environments themselves are another module. */
export const environmentContract = {
  listProjectEnvironments: endpoint({
    method: 'GET',
    path: '/api/admin/environments/project/:projectId',
    id: 'getProjectEnvironments',
    tag,
    summary: 'List the environments of a project in sort order',
    permission: 'none',
    scope,
    params: projectParams,
    query: atMoment,
    response: named(
      'environmentsProjectSchema',
      Type.Object({
        version: Type.Integer(),
        environments: Type.Array(
          Type.Object({
            ...EnvironmentSchema.properties,
            defaultStrategy: DefaultStrategySchema,
            projectEnabledToggleCount: Type.Integer({
              description: 'Number of active features of the project enabled in it',
            }),
            projectApiTokenCount: Type.Integer({
              description: 'Number of valid API tokens for it that name the project',
            }),
            visible: Type.Boolean({
              description: 'Always true: all listed environments belong to the project',
            }),
          }),
        ),
      }),
    ),
  }),

  addProjectEnvironment: endpoint({
    method: 'POST',
    path: '/api/admin/projects/:projectId/environments',
    id: 'addEnvironmentToProject',
    conflict: 'the project already has this environment',
    tag,
    summary: 'Add an environment to a project',
    permission: 'UPDATE_PROJECT',
    scope,
    params: projectParams,
    body: named(
      'projectEnvironmentSchema',
      Type.Object({
        environment: Type.String(),
        changeRequestsEnabled: Type.Optional(
          nullable(
            Type.Boolean({
              description:
                'Whether changes in the environment need approval. Omitted or null: the default of the environment',
            }),
          ),
        ),
        defaultStrategy: notSupported('use POST …/environments/:environment/default-strategy'),
      }),
    ),
  }),

  removeProjectEnvironment: endpoint({
    method: 'DELETE',
    path: '/api/admin/projects/:projectId/environments/:environment',
    id: 'removeEnvironmentFromProject',
    alsoArchived: true,
    tag: 'Environments',
    summary: 'Remove an environment from a project',
    description: 'The features of the project lose their strategies and variants in it.',
    permission: 'UPDATE_PROJECT',
    scope,
    params: Type.Object({ projectId: Type.String(), environment: Type.String() }),
  }),

  getDefaultStrategy: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId/environments/:environment/default-strategy',
    id: 'getDefaultStrategyForProjectAndEnvironment',
    tag,
    summary: 'Get the default strategy of an environment in a project',
    permission: 'none',
    scope,
    params,
    query: atMoment,
    response: DefaultStrategySchema,
  }),

  setDefaultStrategy: endpoint({
    method: 'POST',
    path: '/api/admin/projects/:projectId/environments/:environment/default-strategy',
    id: 'addDefaultStrategyToProjectEnvironment',
    proposable: true,
    tag,
    summary: 'Set the default strategy of an environment in a project',
    permission: ['UPDATE_PROJECT', 'PROJECT_DEFAULT_STRATEGY_WRITE'],
    scope,
    params,
    body: SetDefaultStrategySchema,
    response: DefaultStrategySchema,
  }),
};
