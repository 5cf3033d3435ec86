import { type Static, type TSchema, Type } from 'typebox';
import { nullable } from '../../../platform/contract/endpoint.ts';
import {
  descriptionOrNull,
  instant,
  maxInteger,
  named,
  sortOrder,
} from '../../../platform/contract/schema.ts';
import {
  ContextFieldSchema,
  CreateContextFieldSchema,
} from '../../catalogue/context-fields/contract.ts';
import { OwnerSchema } from '../../catalogue/projects/feature-summary-schema.ts';
import { setStrategyShape, strategyShape } from '../../catalogue/strategy-types/strategy-schema.ts';
import { TagSchema } from '../../catalogue/tags/tag-schema.ts';
import { CreateTagTypeSchema } from '../../catalogue/tags/tag-types/contract.ts';
import { DependencySchema, featureName } from '../features/feature-schema.ts';
import { SetVariantsSchema, VariantSchema } from '../features/variants/variant-schema.ts';

/** The longest list that any request may have. More features take several documents. */
const maxItems = 10_000;

const list = <S extends TSchema>(item: S, description?: string) =>
  Type.Array(item, { maxItems, ...(description !== undefined && { description }) });

const feature = Type.String({ description: 'Name of a feature in the document' });
const segmentId = Type.Integer({ minimum: 0, maximum: maxInteger });

const ExportedFeatureSchema = Type.Object({
  name: Type.String(),
  type: Type.String(),
  description: descriptionOrNull,
  project: Type.String(),
  stale: Type.Boolean(),
  impressionData: Type.Boolean(),
  archived: Type.Boolean({ description: 'Never true: archived features are not exported' }),
  createdAt: instant,
});

/** What Unleash does not have. In a list of its own, because Unleash refuses features with unknown properties. */
const FeatureMetadataSchema = Type.Object({
  featureName: Type.String({ maxLength: 100 }),
  owner: Type.Optional(
    Type.Object(
      { type: OwnerSchema.properties.type, name: Type.String({ minLength: 1, maxLength: 255 }) },
      { description: 'A user by email address or username, or a group by name' },
    ),
  ),
  expiresAt: Type.Optional(instant),
});

/** The response of an export, in the format of the reference. */
export const ExportDocumentSchema = named(
  'exportResultSchema',
  Type.Object({
    features: Type.Array(ExportedFeatureSchema),
    featureStrategies: Type.Array(
      Type.Object({
        id: Type.String(),
        featureName: Type.String(),
        environment: Type.String(),
        ...strategyShape,
      }),
    ),
    featureEnvironments: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of the feature; Unleash imports by it' }),
        featureName: Type.String(),
        environment: Type.String(),
        enabled: Type.Boolean(),
        variants: Type.Array(VariantSchema),
      }),
      { description: 'For features whose project has the environment' },
    ),
    contextFields: Type.Array(
      Type.Object({
        name: Type.String(),
        description: descriptionOrNull,
        stickiness: Type.Boolean(),
        sortOrder,
        legalValues: ContextFieldSchema.properties.legalValues,
      }),
      {
        description:
          'Context fields that the constraints, variants, and rollouts in the document use',
      },
    ),
    featureTags: Type.Array(
      Type.Object({ featureName: Type.String(), tagType: Type.String(), tagValue: Type.String() }),
    ),
    segments: Type.Array(Type.Object({ id: segmentId, name: Type.String() }), {
      description:
        'Segments that strategies in the document use, by ID; an import finds them by name',
    }),
    tagTypes: Type.Array(
      Type.Object({
        name: Type.String(),
        description: Type.String(),
        icon: Type.Optional(Type.String()),
        color: Type.Optional(Type.String()),
      }),
    ),
    dependencies: Type.Array(
      Type.Object({
        feature: Type.String({ description: 'Name of the child' }),
        dependencies: Type.Array(DependencySchema),
      }),
    ),
    featureMetadata: Type.Array(FeatureMetadataSchema, {
      description: 'Of features with an owner or an expiry date; Unleash ignores it',
    }),
  }),
);
export type ExportDocument = Static<typeof ExportDocumentSchema>;

/** Of one child. */
export const maxParents = 20;

const text = Type.Optional(nullable(Type.String({ maxLength: 10_000 })));
const yesOrNo = Type.Optional(nullable(Type.Boolean()));

/**
 * The document of an import: an export of this product or of the reference. Properties with a default may be omitted
 * or null. Properties that cannot be set are ignored.
 */
export const ImportDocumentSchema = Type.Object({
  features: list(
    Type.Object({
      name: featureName,
      type: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 100 }))),
      description: text,
      stale: yesOrNo,
      impressionData: yesOrNo,
      archived: yesOrNo,
      createdAt: Type.Optional(nullable(instant)),
    }),
  ),
  featureStrategies: list(
    Type.Object({ ...setStrategyShape, featureName: feature }),
    'All strategies of the features; an import removes other strategies',
  ),
  featureEnvironments: Type.Optional(
    list(
      Type.Object({
        featureName: feature,
        enabled: Type.Boolean(),
        variants: Type.Optional(nullable(SetVariantsSchema)),
      }),
      'At most one for each feature; a feature without one keeps its state and variants',
    ),
  ),
  contextFields: Type.Optional(list(CreateContextFieldSchema)),
  featureTags: Type.Optional(
    list(
      Type.Object({
        featureName: feature,
        tagType: TagSchema.properties.type,
        tagValue: TagSchema.properties.value,
      }),
    ),
  ),
  segments: Type.Optional(
    list(Type.Object({ id: segmentId, name: Type.String({ minLength: 1, maxLength: 255 }) })),
  ),
  tagTypes: Type.Optional(list(CreateTagTypeSchema)),
  dependencies: Type.Optional(
    list(
      Type.Object({
        feature: Type.String({ maxLength: 100, description: 'Name of the child' }),
        dependencies: Type.Array(
          Type.Object({
            feature: Type.String({ maxLength: 100, description: 'Name of the parent' }),
            enabled: yesOrNo,
            variants: Type.Optional(nullable(Type.Array(Type.String(), { maxItems: 100 }))),
          }),
          { maxItems: maxParents },
        ),
      }),
    ),
  ),
  featureMetadata: Type.Optional(
    list(
      FeatureMetadataSchema,
      'Owners that are unknown here, or that have no access to the project, are ignored',
    ),
  ),
});
export type ImportDocument = Static<typeof ImportDocumentSchema>;
