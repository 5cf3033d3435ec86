import { type Static, Type } from 'typebox';
import { endpoint, withDefault } from '../../../../platform/contract/endpoint.ts';
import { describing, named, nameText, oneOf } from '../../../../platform/contract/schema.ts';
import {
  ChangeRequestSchema,
  limitedPerAccount,
  maxReasonLength,
  requestParams,
  requestPath,
  requestStates,
  scope,
  tag,
} from '../request-schema.ts';

const StateSchema = named(
  'changeRequestStateSchema',
  Type.Object({
    state: oneOf(requestStates, 'The new state; Draft is never accepted'),
    hash: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'The `hash` of the request as you saw it. If its changes were edited since, the response is 409',
      }),
    ),
    comment: Type.Optional(describing('Added to the comments of the change request')),
    emergency: Type.Optional(
      Type.Object(
        { reason: nameText({ maxLength: maxReasonLength }) },
        {
          description:
            'For Applied: applies the request without approval, if the rules of the environment allow it',
        },
      ),
    ),
    scheduledAt: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'Required for Scheduled: a time in ISO 8601 in the future, with an offset or, if it has none, in `timeZone`',
      }),
    ),
    timeZone: Type.Optional(
      Type.String({ maxLength: 100, description: 'IANA time zone, such as Europe/Oslo' }),
    ),
    whenOverdue: withDefault(
      oneOf(['apply', 'suspend'], 'What happens if no server was running at that time'),
      'apply',
    ),
  }),
);
export type SetState = Static<typeof StateSchema>;

export const stateContract = {
  updateChangeRequestState: endpoint({
    method: 'PUT',
    path: `${requestPath}/state`,
    id: 'updateChangeRequestState',
    tag,
    summary: 'Send to review, approve, reject, schedule, apply, or cancel',
    description: [
      'In review: the author sends a draft to review.',
      'Approved: adds your approval of the current changes; the state changes when there are enough. You need APPROVE_CHANGE_REQUEST. You cannot approve a request that you created or edited, unless you are an admin and the rules of the environment allow it. Tokens cannot approve.',
      'Rejected: needs the same as an approval.',
      'Scheduled and Applied: the request must be approved, and you need APPLY_CHANGE_REQUEST. If it needs no approvals, you need the permission for each change instead.',
      'Applied with `emergency`: from any open state, by users with SKIP_CHANGE_REQUEST and the permission for each change. Someone else reviews it afterwards.',
      'Cancelled: the author and admins.',
      'Applying makes all changes or none.',
    ].join(' '),
    permission: 'none',
    limitedPerAccount,
    outdated:
      'something that the request changes was changed since; `conflicts` in the response says what. Also if the request was edited since you read its `hash`',
    scope,
    params: requestParams,
    body: StateSchema,
    response: ChangeRequestSchema,
  }),
};
