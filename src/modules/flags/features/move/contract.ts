import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';

const scope = 'projectId';

export const contract = {
  changeProject: endpoint({
    method: 'POST',
    path: '/api/admin/projects/:projectId/features/:featureName/changeProject',
    id: 'changeProject',
    proposable: true,
    pattern: 'the name does not match the naming pattern of the new project',
    tag: 'Features',
    summary: 'Move a feature to another project',
    description:
      'Requires the permission in both projects. Refused if the feature would lose something: its configuration in ' +
      'environments that the new project does not have, segments of its project, or dependencies.',
    permission: 'MOVE_FEATURE_TOGGLE',
    scope,
    params: Type.Object({ projectId: Type.String(), featureName: Type.String() }),
    body: named('changeProjectSchema', Type.Object({ newProjectId: Type.String() })),
  }),
};
