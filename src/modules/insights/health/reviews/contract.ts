import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../../platform/contract/endpoint.ts';
import { instant, named } from '../../../../platform/contract/schema.ts';
import { BulkOutcomeSchema } from '../../../flags/features/bulk/contract.ts';

const tag = 'Features';
const scope = 'projectId';
const params = Type.Object({ projectId: Type.String(), featureName: Type.String() });
const path = '/api/admin/projects/:projectId/features/:featureName/review';

const until = {
  ...instant,
  description:
    'Until this time, no age-related reasons are reported and the feature is not potentially stale',
};

/** A user's decision that a feature is not too old. */
export const ReviewSchema = Type.Object({
  permanent: Type.Boolean({
    description: 'The feature is permanent: age-related reasons are never reported',
  }),
  snoozedUntil: Type.Optional(until),
  reason: Type.String(),
  reviewedBy: Type.String(),
  reviewedAt: instant,
});
export type ReviewAnswer = Static<typeof ReviewSchema>;

const SetReviewSchema = Type.Object({
  snoozedUntil: withDefault(nullable(until), null),
  permanent: withDefault(Type.Boolean(), false),
  reason: Type.String({
    minLength: 1,
    maxLength: 1000,
    pattern: '\\S',
    'x-fault': 'must not be empty and must have at most 1000 characters',
    description: 'Why the feature is kept',
  }),
});
export type SetReview = Static<typeof SetReviewSchema>;

const names = Type.Array(Type.String({ maxLength: 100 }), {
  minItems: 1,
  maxItems: 1000,
  description: 'Names of features of the project; duplicates count once',
});

const projectParams = Type.Object({ projectId: Type.String() });
const reviewsPath = '/api/admin/projects/:projectId/reviews';

const outcomes = named(
  'bulkOutcomesSchema',
  Type.Object({
    features: Type.Array(BulkOutcomeSchema, { description: 'In the order of the request' }),
  }),
);

const eachOnItsOwn =
  'Each feature is changed or refused on its own, with the reason; all changes are one transaction.';

export const reviewContract = {
  putReviews: endpoint({
    method: 'POST',
    path: reviewsPath,
    id: 'setFeatureReviews',
    tag,
    summary: 'Snooze several features or mark them as permanent',
    description: eachOnItsOwn,
    permission: 'UPDATE_FEATURE',
    scope,
    params: projectParams,
    body: named(
      'setFeatureReviewsSchema',
      Type.Object({ features: names, ...SetReviewSchema.properties }),
    ),
    response: outcomes,
  }),

  deleteReviews: endpoint({
    method: 'POST',
    path: `${reviewsPath}/delete`,
    id: 'deleteFeatureReviews',
    tag,
    summary: 'Delete the reviews of several features',
    description: eachOnItsOwn,
    permission: 'UPDATE_FEATURE',
    scope,
    params: projectParams,
    body: named('deleteFeatureReviewsSchema', Type.Object({ features: names })),
    response: outcomes,
  }),

  getReview: endpoint({
    method: 'GET',
    path,
    id: 'getFeatureReview',
    tag,
    summary: 'Get the review of a feature',
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
    summary: 'Snooze a feature or mark it as permanent',
    description:
      'A permanent feature is never potentially stale. A snoozed feature is not potentially stale before the date, which must be within ' +
      'the next five years. A feature that is marked as stale stays stale.',
    permission: 'UPDATE_FEATURE',
    scope,
    params,
    body: SetReviewSchema,
    response: ReviewSchema,
  }),

  deleteReview: endpoint({
    method: 'DELETE',
    path,
    id: 'deleteFeatureReview',
    tag,
    summary: 'Delete the review of a feature',
    permission: 'UPDATE_FEATURE',
    scope,
    params,
  }),
};
