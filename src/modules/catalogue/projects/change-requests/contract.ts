import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../../platform/contract/endpoint.ts';

const tag = 'Change Requests';
const scope = 'projectId';

const ChangeRequestConfigSchema = Type.Object({
  environment: Type.String(),
  type: Type.String({ description: 'Type of the environment' }),
  changeRequestEnabled: Type.Boolean({
    description: 'Always false: change requests are not supported',
  }),
  requiredApprovals: nullable(
    Type.Integer({ description: 'Required approvals; null if never set' }),
  ),
});
export type ChangeRequestConfig = Static<typeof ChangeRequestConfigSchema>;

const SetChangeRequestConfigSchema = Type.Object({
  changeRequestsEnabled: Type.Boolean({
    description: 'Must be false: change requests are not supported',
  }),
  requiredApprovals: Type.Optional(
    nullable(Type.Integer({ minimum: 0, maximum: 100, description: 'Omitted, 0, or null: none' })),
  ),
});
export type SetChangeRequestConfig = Static<typeof SetChangeRequestConfigSchema>;

/** Change requests are not supported; these endpoints report that. */
export const changeRequestContract = {
  listChangeRequestConfig: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId/change-requests/config',
    id: 'getProjectChangeRequestConfig',
    tag,
    summary: 'Get the change request settings of a project',
    permission: 'none',
    scope,
    params: Type.Object({ projectId: Type.String() }),
    response: Type.Array(ChangeRequestConfigSchema),
  }),

  setChangeRequestConfig: endpoint({
    method: 'PUT',
    path: '/api/admin/projects/:projectId/environments/:environment/change-requests/config',
    id: 'updateProjectChangeRequestConfig',
    tag,
    summary: 'Set the change request settings of an environment',
    permission: ['UPDATE_PROJECT', 'PROJECT_CHANGE_REQUEST_WRITE'],
    scope,
    params: Type.Object({ projectId: Type.String(), environment: Type.String() }),
    body: SetChangeRequestConfigSchema,
    status: 204,
  }),
};
