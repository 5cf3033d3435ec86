import { type Static, Type } from 'typebox';
import { endpoint, withDefault } from '../../../../platform/http/endpoint.ts';
import { named } from '../../../../platform/http/schema.ts';
import {
  EnvironmentSchema,
  environmentName,
  environmentType,
} from '../../../catalogue/environments/index.ts';

const scope = 'projectId';

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
  changeProject: endpoint({
    method: 'POST',
    path: '/api/admin/projects/:projectId/features/:featureName/changeProject',
    id: 'changeProject',
    pattern: 'the name breaks the naming pattern of the new project',
    tag: 'Features',
    summary: 'Move a feature to another project',
    description:
      'You need the permission in both projects. Refused when the feature would lose something: what it has in ' +
      'environments that the new project lacks, segments of its project, dependencies.',
    permission: 'MOVE_FEATURE_TOGGLE',
    scope,
    params: Type.Object({ projectId: Type.String(), featureName: Type.String() }),
    body: named('changeProjectSchema', Type.Object({ newProjectId: Type.String() })),
  }),

  deleteProject: endpoint({
    method: 'DELETE',
    path: '/api/admin/projects/:projectId',
    id: 'deleteProject',
    alsoArchived: true,
    tag: 'Projects',
    summary: 'Delete a project without living features for good',
    description:
      'Its archived features and its segments are deleted with it, and API tokens for it alone are revoked.',
    permission: 'DELETE_PROJECT',
    scope,
    params: Type.Object({ projectId: Type.String() }),
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
