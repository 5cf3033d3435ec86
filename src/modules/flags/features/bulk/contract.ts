import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../../platform/contract/endpoint.ts';
import { named, oneOf, yesNo } from '../../../../platform/contract/schema.ts';
import { TagSchema } from '../../../catalogue/tags/tag-schema.ts';
import { SetOwnerSchema } from '../owner/owner-schema.ts';

const bulkActions = [
  'enable',
  'disable',
  'tag',
  'set-owner',
  'mark-stale',
  'mark-active',
  'complete',
  'uncomplete',
  'archive',
  'revive',
  'delete',
  'move',
] as const;
export type BulkAction = (typeof bulkActions)[number];

/** In one request. Clients send a longer list in parts. */
const maxInBulk = 1000;

const tags = Type.Optional(Type.Array(TagSchema, { maxItems: 100 }));

const BulkChangeSchema = named(
  'bulkChangeFeaturesSchema',
  Type.Object({
    action: oneOf(bulkActions),
    features: Type.Array(Type.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: maxInBulk,
      description: 'Names of features, of any projects; duplicates count once',
    }),
    environment: Type.Optional(
      Type.String({ maxLength: 100, description: 'For `enable` and `disable`' }),
    ),
    newProjectId: Type.Optional(
      Type.String({ maxLength: 100, description: 'For `move`: the new project' }),
    ),
    status: Type.Optional(
      oneOf(
        ['kept', 'discarded'],
        'For `complete`: whether the change behind the features was kept or discarded',
      ),
    ),
    owner: Type.Optional(nullable(SetOwnerSchema)),
    addedTags: tags,
    removedTags: tags,
  }),
);
export type BulkChange = Static<typeof BulkChangeSchema>;

export const BulkOutcomeSchema = named(
  'bulkOutcomeSchema',
  Type.Object({
    name: Type.String(),
    project: Type.Optional(Type.String({ description: 'Omitted if there is no such feature' })),
    outcome: Type.Unsafe<'changed' | 'unchanged' | 'proposed' | 'refused'>({
      type: 'string',
      enum: ['changed', 'unchanged', 'proposed', 'refused'],
      description:
        '`unchanged`: the feature already had the requested state; `proposed`: the change needs approval and is in your draft',
    }),
    why: Type.Optional(Type.String({ description: 'Why it was refused' })),
  }),
);
export type BulkOutcome = Static<typeof BulkOutcomeSchema>;

const BulkProposalSchema = Type.Object({
  path: Type.String({ description: 'Send the body to it with POST' }),
  body: Type.Array(
    Type.Object({
      feature: Type.Optional(Type.String()),
      action: Type.String(),
      payload: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
    }),
  ),
});
export type BulkProposal = Static<typeof BulkProposalSchema>;

const BulkOutcomesSchema = named(
  'bulkOutcomesSchema',
  Type.Object({
    features: Type.Array(BulkOutcomeSchema, { description: 'In the order of the request' }),
    proposals: Type.Optional(
      Type.Array(BulkProposalSchema, {
        description:
          'For the features that were refused because the change needs approval: a request for each project that proposes it',
      }),
    ),
    changeRequests: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.Integer(),
          project: Type.String(),
          environment: Type.String(),
        }),
        { description: 'With `propose=true`: the drafts to which changes were added' },
      ),
    ),
  }),
);
export type BulkOutcomes = Static<typeof BulkOutcomesSchema>;

export const contract = {
  changeFeaturesInBulk: endpoint({
    method: 'POST',
    path: '/api/admin/features/bulk',
    id: 'changeFeaturesInBulk',
    tag: 'Features',
    summary: 'Change several features, with a result for each',
    description:
      'Each feature is changed or refused on its own, with the reason; all changes are one transaction. The features can be in ' +
      'different projects. Each needs the permission that the operation for a single feature needs: ' +
      'UPDATE_FEATURE_ENVIRONMENT, UPDATE_FEATURE, DELETE_FEATURE, or MOVE_FEATURE_TOGGLE.',
    permission: 'none',
    query: Type.Object({
      dryRun: withDefault(
        Type.Unsafe<'true' | 'false'>({
          ...yesNo,
          description: 'If true, nothing is changed; the response shows the result',
        }),
        'false',
      ),
      propose: withDefault(
        Type.Unsafe<'true' | 'false'>({
          ...yesNo,
          description: 'If true, changes that need approval are proposed instead of being refused',
        }),
        'false',
      ),
    }),
    body: BulkChangeSchema,
    response: BulkOutcomesSchema,
  }),
};
