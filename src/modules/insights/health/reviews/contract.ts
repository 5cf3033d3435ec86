import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../../platform/contract/endpoint.ts';
import { instant } from '../../../../platform/contract/schema.ts';

const tag = 'Features';
const scope = 'projectId';
const params = Type.Object({ projectId: Type.String(), featureName: Type.String() });
const path = '/api/admin/projects/:projectId/features/:featureName/review';

const until = {
  ...instant,
  description: 'Until this instant no reason of age is told, and the feature is not due',
};

/** What people said of the age of a feature. */
export const ReviewSchema = Type.Object({
  permanent: Type.Boolean({ description: 'It is meant to stay: no reason of age is ever told' }),
  snoozedUntil: Type.Optional(until),
  reason: Type.String(),
  reviewedBy: Type.String(),
  reviewedAt: instant,
});
export type ReviewAnswer = Static<typeof ReviewSchema>;

const WishSchema = Type.Object({
  snoozedUntil: withDefault(nullable(until), null),
  permanent: withDefault(Type.Boolean(), false),
  reason: Type.String({
    minLength: 1,
    maxLength: 1000,
    pattern: '\\S',
    'x-fault': 'must say something, in at most 1000 characters',
    description: 'Why',
  }),
});
export type ReviewWish = Static<typeof WishSchema>;

export const reviewContract = {
  getReview: endpoint({
    method: 'GET',
    path,
    id: 'getFeatureReview',
    tag,
    summary: 'What people said of the age of a feature',
    permission: 'none',
    scope,
    params,
    response: ReviewSchema,
  }),

  putReview: endpoint({
    method: 'PUT',
    path,
    id: 'setFeatureReview',
    tag,
    summary: 'Put off the age of a feature, or say that it is meant to stay',
    description:
      'A permanent feature is never potentially stale, a snoozed one not before the date, which lies in the next ' +
      'five years. A mark as stale stays what it is.',
    permission: 'UPDATE_FEATURE',
    scope,
    params,
    body: WishSchema,
    response: ReviewSchema,
  }),

  deleteReview: endpoint({
    method: 'DELETE',
    path,
    id: 'deleteFeatureReview',
    tag,
    summary: 'Take back what was said of the age of a feature',
    permission: 'UPDATE_FEATURE',
    scope,
    params,
  }),
};
