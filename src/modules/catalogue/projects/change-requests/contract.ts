import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../../platform/contract/endpoint.ts';
import { atMoment, maxInteger, named, oneOf } from '../../../../platform/contract/schema.ts';

const tag = 'Change Requests';
const scope = 'projectId';

/** Of each kind of approver. */
const maxApprovers = 100;

const ids = (description: string) =>
  Type.Array(Type.Integer({ minimum: 1, maximum: maxInteger }), {
    maxItems: maxApprovers,
    uniqueItems: true,
    description,
  });

const rules = {
  approvers: Type.Object(
    {
      users: ids('IDs of users'),
      groups: ids('IDs of groups, whose members can approve'),
      roles: ids('IDs of root and project roles'),
    },
    {
      description:
        'Who can approve, among those with APPROVE_CHANGE_REQUEST; admins, too, must be listed. Empty: all of them. If all who are listed were deleted, no one can approve.',
    },
  ),
  selfApproval: oneOf(
    ['admins', 'nobody'],
    'Who can approve a request after contributing to it, as its author or by editing it',
  ),
  expiresAfterDays: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      description: 'Days after being sent to review until an open request is canceled; null: never',
    }),
  ),
  applyAutomatically: Type.Boolean({
    description: 'Whether the last required approval also applies a request',
  }),
  emergencyApply: Type.Boolean({
    description:
      'Whether users with SKIP_CHANGE_REQUEST can apply a request without approval, with a reason',
  }),
};

const RulesSchema = named('changeRequestRulesSchema', Type.Object(rules));
export type ChangeRequestRules = Static<typeof RulesSchema>;

const ChangeRequestConfigSchema = Type.Object({
  environment: Type.String(),
  type: Type.String({ description: 'Type of the environment' }),
  changeRequestEnabled: Type.Boolean({
    description: 'Whether changes in the environment need approval',
  }),
  requiredApprovals: nullable(
    Type.Integer({ description: 'Required approvals; null if never set' }),
  ),
  rules: RulesSchema,
});
export type ChangeRequestConfig = Static<typeof ChangeRequestConfigSchema>;

const SetChangeRequestConfigSchema = Type.Object({
  changeRequestsEnabled: Type.Boolean({
    description:
      'Whether changes in the environment need approval. Requests in review keep their number of required approvals.',
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
  rules: Type.Optional(
    Type.Partial(Type.Object(rules), {
      description:
        'Omitted rules stay unchanged. Rules also apply to requests that are already open.',
    }),
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
    query: atMoment,
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
