import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { params, scope, tag } from '../project-schema.ts';

export const deleteContract = {
  deleteProject: endpoint({
    method: 'DELETE',
    path: '/api/admin/projects/:projectId',
    id: 'deleteProject',
    alsoArchived: true,
    tag,
    summary: 'Delete a project permanently',
    description:
      'The project must not have active features. Its archived features and its segments are deleted too, and API tokens that cover only this project are revoked.',
    permission: 'DELETE_PROJECT',
    scope,
    params,
  }),
};
