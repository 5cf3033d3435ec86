import { type Static, Type } from 'typebox';
import { endpoint } from '../../../platform/http/endpoint.ts';
import { EnvironmentSchema, environmentName, environmentType } from '../../environments/index.ts';
import { DefaultStrategySchema, SetDefaultStrategySchema, strategyFaults } from './strategy.ts';

const tag = 'Environments';
const scope = 'projectId';

const projectParams = Type.Object({ projectId: Type.String() });
const params = Type.Object({ projectId: Type.String(), environment: Type.String() });

const CloneEnvironmentSchema = Type.Object({
  name: environmentName,
  type: Type.Optional(environmentType),
  projects: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 1000,
      uniqueItems: true,
      description: 'Projects that get the copy; none, or left out: all that have the original',
    }),
  ),
});
export type CloneEnvironment = Static<typeof CloneEnvironmentSchema>;

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
    response: Type.Object({
      version: Type.Integer(),
      environments: Type.Array(
        Type.Object({ ...EnvironmentSchema.properties, defaultStrategy: DefaultStrategySchema }),
      ),
    }),
  }),

  cloneEnvironment: endpoint({
    method: 'POST',
    path: '/api/admin/environments/:name/clone',
    id: 'cloneEnvironment',
    conflict: 'the name is taken',
    tag,
    summary: 'Copy an environment into the projects that have it',
    description: 'Each project keeps its default strategy in the copy.',
    permission: 'ADMIN',
    params: Type.Object({ name: Type.String() }),
    body: CloneEnvironmentSchema,
    response: EnvironmentSchema,
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
    body: Type.Object({ environment: Type.String() }),
  }),

  removeProjectEnvironment: endpoint({
    method: 'DELETE',
    path: '/api/admin/projects/:projectId/environments/:environment',
    id: 'removeEnvironmentFromProject',
    alsoArchived: true,
    tag,
    summary: 'Remove an environment from a project; the last one stays',
    permission: 'UPDATE_PROJECT',
    scope,
    params,
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
    check: ({ body }) => strategyFaults(body),
  }),
};
