import { Type } from 'typebox';
import { descriptionOrNull, dictionary, named } from '../../../platform/contract/schema.ts';
import { ConstraintSchema } from '../../catalogue/context-fields/constraint-schema.ts';
import { StrategyVariantSchema } from '../../catalogue/strategy-types/strategy-schema.ts';
import { DependencySchema } from '../../flags/features/feature-schema.ts';
import { VariantSchema } from '../../flags/features/variants/variant-schema.ts';

const ClientStrategySchema = Type.Object({
  name: Type.String(),
  constraints: Type.Array(ConstraintSchema),
  parameters: dictionary(Type.String(), 'As the type of the strategy has them'),
  variants: Type.Array(StrategyVariantSchema),
  segments: Type.Optional(
    Type.Array(Type.Integer(), { description: 'Ids; left out where constraints are inlined' }),
  ),
});

const ClientDependencySchema = Type.Object({
  ...DependencySchema.properties,
  variants: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Variants of which the parent has to have one; left out: any will do',
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
      description: 'Without those that are disabled',
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
        description: 'Those that the features need; left out where constraints are inlined',
      }),
    ),
    query: Type.Object(
      {
        environment: Type.String(),
        inlineSegmentConstraints: Type.Boolean(),
        project: Type.Optional(texts),
        tag: Type.Optional(Type.Array(texts, { description: 'Type and value of each' })),
        namePrefix: Type.Optional(Type.String()),
      },
      { description: 'What was asked for, within what the token reaches' },
    ),
    meta: Type.Object({
      revisionId: Type.Integer({ description: 'The last event when this was put together' }),
      etag: Type.String({ description: 'The ETag of the answer' }),
      queryHash: Type.String(),
    }),
  }),
);

const eventId = Type.Integer({ description: 'The revision at which it is so' });
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
    events: Type.Array(DeltaEventSchema, { description: 'To be applied in this order' }),
  }),
);

const ValidTokenSchema = Type.Object({
  token: Type.String({ description: 'As it was sent' }),
  type: Type.String({ description: 'client, frontend or admin' }),
  projects: Type.Array(Type.String(), { description: '`*`: all' }),
});

export const ValidTokensSchema = named(
  'validatedEdgeTokensSchema',
  Type.Object({ tokens: Type.Array(ValidTokenSchema) }),
);
