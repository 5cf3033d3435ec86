import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { describing, maxInteger, named, nameText } from '../../../../platform/contract/schema.ts';
import {
  limitedPerAccount,
  maxComments,
  maxReviewers,
  requestParams,
  requestPath,
  requestsPath,
  scope,
  tag,
} from '../request-schema.ts';

const permission = 'none';

const ReviewersSchema = named(
  'changeRequestReviewersSchema',
  Type.Object({
    reviewers: Type.Array(
      Type.Object({
        id: Type.Integer(),
        email: Type.Optional(Type.String()),
        username: Type.Optional(Type.String()),
        name: Type.Optional(Type.String()),
        imageUrl: Type.String({ description: 'URL of the avatar' }),
      }),
    ),
  }),
);

export const reviewContract = {
  updateTitle: endpoint({
    method: 'PUT',
    path: `${requestPath}/title`,
    id: 'updateChangeRequestTitle',
    tag,
    summary: 'Set the title of a change request',
    description: 'Only the author and admins can do this, while the request is open.',
    permission,
    limitedPerAccount,
    scope,
    params: requestParams,
    body: named(
      'changeRequestUpdateTitleSchema',
      Type.Object({ title: nameText({ maxLength: 255 }) }),
    ),
    status: 204,
  }),

  addComment: endpoint({
    method: 'POST',
    path: `${requestPath}/comments`,
    id: 'addChangeRequestComment',
    tag,
    summary: 'Comment on a change request',
    description: `A change request has at most ${maxComments} comments.`,
    permission,
    limitedPerAccount,
    scope,
    params: requestParams,
    body: named(
      'changeRequestAddCommentSchema',
      Type.Object({
        text: Type.String({
          minLength: 1,
          maxLength: 10_000,
          pattern: '\\S',
          'x-fault': 'must be 1 to 10,000 characters, not all of them blank',
        }),
      }),
    ),
    status: 204,
  }),

  reviewEmergency: endpoint({
    method: 'POST',
    path: `${requestPath}/emergency-review`,
    id: 'reviewChangeRequestEmergency',
    tag,
    summary: 'Review a change request applied in an emergency',
    description:
      'For users who could have approved the request, except the one who applied it. Reviewing it again changes nothing.',
    permission,
    limitedPerAccount,
    scope,
    params: requestParams,
    body: named(
      'changeRequestEmergencyReviewSchema',
      Type.Object({
        comment: Type.Optional(describing('Added to the comments of the change request')),
      }),
    ),
    status: 204,
  }),

  setReviewers: endpoint({
    method: 'PUT',
    path: `${requestPath}/approvers`,
    id: 'setChangeRequestApprovers',
    tag,
    summary: 'Set the requested reviewers of a change request',
    description:
      'Replaces them. Each must be able to approve the request. Only the author and admins can do this, while the request is open.',
    permission,
    limitedPerAccount,
    scope,
    params: requestParams,
    body: named(
      'setChangeRequestApproversSchema',
      Type.Object({
        reviewers: Type.Array(Type.Integer({ minimum: 1, maximum: maxInteger }), {
          maxItems: maxReviewers,
          uniqueItems: true,
          description: 'IDs of users',
        }),
      }),
    ),
    status: 204,
  }),

  listReviewers: endpoint({
    method: 'GET',
    path: `${requestPath}/approvers`,
    id: 'getChangeRequestApprovers',
    tag,
    summary: 'List the requested reviewers of a change request',
    permission,
    scope,
    params: requestParams,
    response: ReviewersSchema,
  }),

  listAvailableReviewers: endpoint({
    method: 'GET',
    path: `${requestsPath}/available-reviewers/:environment`,
    id: 'getAvailableChangeRequestReviewers',
    tag,
    summary: 'List users who can approve in an environment',
    permission,
    scope,
    params: Type.Object({ projectId: Type.String(), environment: Type.String() }),
    response: ReviewersSchema,
  }),
};
