import { Type } from 'typebox';
import { nullable } from '../../../platform/contract/endpoint.ts';
import { descriptionOrNull, dictionary, named } from '../../../platform/contract/schema.ts';
import { ConstraintSchema } from '../../catalogue/context-fields/constraint-schema.ts';
import { StrategyVariantSchema } from '../../catalogue/strategy-types/strategy-schema.ts';
import { DependencySchema } from '../../flags/features/feature-schema.ts';
import { VariantSchema } from '../../flags/features/variants/variant-schema.ts';

const ClientStrategySchema = Type.Object({
  name: Type.String(),
  constraints: Type.Array(ConstraintSchema),
  parameters: dictionary(Type.String(), 'Parameters as defined by the strategy type'),
  variants: Type.Array(StrategyVariantSchema),
  segments: Type.Optional(
    Type.Array(Type.Integer(), {
      description: 'Ids of segments; omitted if constraints are inlined',
    }),
  ),
});

const ClientDependencySchema = Type.Object({
  ...DependencySchema.properties,
  variants: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Required variants of the parent, any of them; omitted: any variant or none',
    }),
  ),
});

/** A feature in one environment, as SDKs evaluate it. */
export const ClientFeatureSchema = named(
  'clientFeatureSchema',
  Type.Object({
    name: Type.String(),
    type: Type.String(),
    description: descriptionOrNull,
    project: Type.String(),
    stale: Type.Boolean(),
    enabled: Type.Boolean(),
    impressionData: Type.Boolean(),
    strategies: Type.Array(ClientStrategySchema, {
      description: 'Without disabled strategies',
    }),
    variants: Type.Array(VariantSchema),
    dependencies: Type.Optional(Type.Array(ClientDependencySchema)),
  }),
);

const ClientSegmentSchema = named(
  'clientSegmentSchema',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    constraints: Type.Array(ConstraintSchema),
  }),
);

const texts = Type.Array(Type.String());

export const ClientFeaturesSchema = named(
  'clientFeaturesSchema',
  Type.Object({
    version: Type.Integer(),
    features: Type.Array(ClientFeatureSchema),
    segments: Type.Optional(
      Type.Array(ClientSegmentSchema, {
        description: 'Segments that the features use; omitted if constraints are inlined',
      }),
    ),
    query: Type.Object(
      {
        environment: Type.String(),
        inlineSegmentConstraints: Type.Boolean(),
        project: Type.Optional(texts),
        tag: Type.Optional(Type.Array(texts, { description: 'Type and value of each tag' })),
        namePrefix: Type.Optional(Type.String()),
      },
      { description: 'The query, limited to the access of the token' },
    ),
    meta: Type.Object({
      revisionId: Type.Integer({ description: 'Id of the last event included' }),
      etag: Type.String({ description: 'The ETag of the response' }),
      queryHash: Type.String(),
    }),
  }),
);

const eventId = Type.Integer({ description: 'The revision of this change' });
const happening = <const T extends string>(type: T) => ({ eventId, type: Type.Literal(type) });

const DeltaEventSchema = Type.Union([
  Type.Object({
    ...happening('hydration'),
    features: Type.Array(ClientFeatureSchema),
    segments: Type.Array(ClientSegmentSchema),
  }),
  Type.Object({ ...happening('feature-updated'), feature: ClientFeatureSchema }),
  Type.Object({
    ...happening('feature-removed'),
    featureName: Type.String(),
    project: Type.String(),
  }),
  Type.Object({ ...happening('segment-updated'), segment: ClientSegmentSchema }),
  Type.Object({ ...happening('segment-removed'), segmentId: Type.Integer() }),
]);

export const DeltaSchema = named(
  'clientFeaturesDeltaSchema',
  Type.Object({
    events: Type.Array(DeltaEventSchema, { description: 'Apply in this order' }),
  }),
);

const ValidTokenSchema = Type.Object({
  token: Type.String({ description: 'The token as it was sent' }),
  type: Type.String({ description: 'client, frontend or admin' }),
  environment: nullable(
    Type.String({ description: 'Null for an admin token, which can access all environments' }),
  ),
  projects: Type.Array(Type.String(), { description: '`*` means all' }),
});

export const ValidTokensSchema = named(
  'validatedEdgeTokensSchema',
  Type.Object({ tokens: Type.Array(ValidTokenSchema) }),
);
