import { Type } from 'typebox';
import { nullable } from '../../../platform/contract/endpoint.ts';
import { descriptionOrNull, instant, named, oneOf } from '../../../platform/contract/schema.ts';
import { TagSchema } from '../tags/tag-schema.ts';

export const PersonSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  imageUrl: Type.String(),
});

export const OwnerSchema = named(
  'featureOwnerSchema',
  Type.Object(
    {
      type: oneOf(['user', 'group']),
      id: Type.Integer(),
      name: Type.String(),
      imageUrl: Type.Optional(Type.String({ description: 'Only for users' })),
    },
    { description: 'User or group that is responsible for the feature; omitted if there is none' },
  ),
);

/** In responses that describe a feature. */
export const ownership = {
  owner: Type.Optional(OwnerSchema),
  expiresAt: Type.Optional({
    ...instant,
    description: 'When the feature should be removed; omitted if it has no expiry date',
  }),
};

/** A feature in an environment of its project (section 2.7), without strategies and variants. */
export const featureEnvironmentShape = {
  name: Type.String(),
  featureName: Type.String(),
  environment: Type.String({ description: 'Same as the name' }),
  type: Type.String({ description: 'Type of the environment' }),
  enabled: Type.Boolean(),
  sortOrder: Type.Integer(),
  variantCount: Type.Integer({ description: 'Number of variants in the environment' }),
  hasStrategies: Type.Boolean(),
  hasEnabledStrategies: Type.Boolean(),
};

/** A feature in lists. It counts what the feature has in an environment. */
export const FeatureSummarySchema = Type.Object({
  name: Type.String(),
  type: Type.String(),
  description: descriptionOrNull,
  project: Type.String(),
  archived: Type.Boolean(),
  archivedAt: nullable(instant),
  enabled: Type.Boolean({ description: 'Whether it is enabled in any environment' }),
  stale: Type.Boolean(),
  favorite: Type.Boolean({ description: "Whether it's one of your favorites" }),
  impressionData: Type.Boolean(),
  createdAt: instant,
  createdBy: PersonSchema,
  ...ownership,
  lastSeenAt: nullable(instant),
  tags: Type.Array(TagSchema),
  environments: Type.Array(
    Type.Object({ ...featureEnvironmentShape, lastSeenAt: nullable(instant) }),
  ),
});
