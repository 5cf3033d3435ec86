import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../../platform/contract/endpoint.ts';
import { maxInteger } from '../../../../platform/contract/schema.ts';

const tag = 'Change Requests';
const scope = 'projectId';

const ChangeRequestConfigSchema = Type.Object({
  environment: Type.String(),
  type: Type.String({ description: 'Type of the environment' }),
  changeRequestEnabled: Type.Boolean({
    description: 'Whether changes in the environment need approval',
  }),
  requiredApprovals: nullable(
    Type.Integer({ description: 'Required approvals; null if never set' }),
  ),
});
export type ChangeRequestConfig = Static<typeof ChangeRequestConfigSchema>;

const SetChangeRequestConfigSchema = Type.Object({
  changeRequestsEnabled: Type.Boolean({
    description:
      'Whether changes in the environment need approval. Requests that wait keep the number of approvals that they had.',
  }),
  requiredApprovals: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        maximum: maxInteger,
        description:
          'Required approvals, at most 10: a larger number becomes 10. Omitted, 0, or null: the previous number, or 1, if they are enabled; otherwise none',
      }),
    ),
  ),
});
export type SetChangeRequestConfig = Static<typeof SetChangeRequestConfigSchema>;

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
