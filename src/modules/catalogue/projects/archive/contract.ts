import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { params, scope, tag } from '../project-schema.ts';

export const archiveContract = {
  archiveProject: endpoint({
    method: 'POST',
    path: '/api/admin/projects/archive/:projectId',
    id: 'archiveProject',
    tag,
    summary: 'Archive a project',
    permission: 'DELETE_PROJECT',
    scope,
    params,
  }),

  reviveProject: endpoint({
    method: 'POST',
    path: '/api/admin/projects/revive/:projectId',
    id: 'reviveProject',
    alsoArchived: true,
    tag,
    summary: 'Revive an archived project',
    permission: 'DELETE_PROJECT',
    scope,
    params,
  }),
};
