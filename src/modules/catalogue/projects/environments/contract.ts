import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named, notSupported } from '../../../../platform/contract/schema.ts';
import { EnvironmentSchema } from '../../environments/contract.ts';
import { DefaultStrategySchema, SetDefaultStrategySchema } from './default-strategy-schema.ts';

const tag = 'Environments';
const scope = 'projectId';

const projectParams = Type.Object({ projectId: Type.String() });
const params = Type.Object({ projectId: Type.String(), environment: Type.String() });

/** What a project has to do with environments; environments alone are another module. */
export const environmentContract = {
  listProjectEnvironments: endpoint({
    method: 'GET',
    path: '/api/admin/environments/project/:projectId',
    id: 'getProjectEnvironments',
    tag,
    summary: 'The environments of a project, in their order',
    permission: 'none',
    scope,
    params: projectParams,
    response: named(
      'environmentsProjectSchema',
      Type.Object({
        version: Type.Integer(),
        environments: Type.Array(
          Type.Object({
            ...EnvironmentSchema.properties,
            defaultStrategy: DefaultStrategySchema,
            projectEnabledToggleCount: Type.Integer({
              description: 'Living features of the project that are on in it',
            }),
            projectApiTokenCount: Type.Integer({
              description: 'Valid API tokens for it that name the project',
            }),
            visible: Type.Boolean({ description: 'True: all of these are in use in the project' }),
          }),
        ),
      }),
    ),
  }),

  addProjectEnvironment: endpoint({
    method: 'POST',
    path: '/api/admin/projects/:projectId/environments',
    id: 'addEnvironmentToProject',
    conflict: 'the project has it already',
    tag,
    summary: 'Add an environment to a project',
    permission: 'UPDATE_PROJECT',
    scope,
    params: projectParams,
    body: named(
      'projectEnvironmentSchema',
      Type.Object({
        environment: Type.String(),
        changeRequestsEnabled: notSupported('there are no change requests'),
        defaultStrategy: notSupported('POST …/environments/:environment/default-strategy sets it'),
      }),
    ),
  }),

  removeProjectEnvironment: endpoint({
    method: 'DELETE',
    path: '/api/admin/projects/:projectId/environments/:environment',
    id: 'removeEnvironmentFromProject',
    alsoArchived: true,
    tag: 'Environments',
    summary: 'Remove an environment from a project; the last one stays',
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
    summary: 'The strategy that new features get in an environment of a project',
    permission: 'none',
    scope,
    params,
    response: DefaultStrategySchema,
  }),

  setDefaultStrategy: endpoint({
    method: 'POST',
    path: '/api/admin/projects/:projectId/environments/:environment/default-strategy',
    id: 'addDefaultStrategyToProjectEnvironment',
    tag,
    summary: 'Set the strategy that new features get in an environment of a project',
    permission: ['UPDATE_PROJECT', 'PROJECT_DEFAULT_STRATEGY_WRITE'],
    scope,
    params,
    body: SetDefaultStrategySchema,
    response: DefaultStrategySchema,
  }),
};
