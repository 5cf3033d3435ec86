import { type Static, Type } from 'typebox';
import { nullable } from '../../../platform/contract/endpoint.ts';
import { descriptionOrNull, instant, named } from '../../../platform/contract/schema.ts';
import { urlName } from '../../../platform/contract/url-name.ts';
import {
  FeatureSummarySchema,
  featureEnvironmentShape,
  ownership,
  PersonSchema,
} from '../../catalogue/projects/feature-summary-schema.ts';
import { strategyShape } from '../../catalogue/strategy-types/strategy-schema.ts';
import { TagSchema } from '../../catalogue/tags/tag-schema.ts';
import { LifecycleSchema } from './lifecycle/contract.ts';
import { LinkSchema } from './links/link-schema.ts';
import { VariantSchema } from './variants/variant-schema.ts';

export const featureName = urlName({
  description: 'Unique across all projects and the archive; used in paths',
});

/** A strategy of a feature in an environment (section 2.8). */
export const StrategySchema = named(
  'featureStrategySchema',
  Type.Object({
    id: Type.String(),
    featureName: Type.String(),
    ...strategyShape,
  }),
);
export type Strategy = Static<typeof StrategySchema>;

export type Person = Static<typeof PersonSchema>;

/** Section 2.7. */
export const FeatureEnvironmentSchema = named(
  'featureEnvironmentSchema',
  Type.Object({
    ...featureEnvironmentShape,
    lastSeenAt: Type.Optional(nullable(instant)),
    strategies: Type.Array(StrategySchema),
    variants: Type.Array(VariantSchema),
  }),
);
export type FeatureEnvironment = Static<typeof FeatureEnvironmentSchema>;

export const DependencySchema = Type.Object({
  feature: Type.String({ description: 'Name of the parent' }),
  enabled: Type.Boolean({ description: 'Whether the parent must be enabled or disabled' }),
  variants: Type.Array(Type.String(), {
    description: 'Required variants of the parent, any of them; empty: any variant or none',
  }),
});
export type Dependency = Static<typeof DependencySchema>;

/** Section 2.6. The operations of part 4 leave out what is unset. In all others it is null. */
export const FeatureSchema = named(
  'featureSchema',
  Type.Object({
    name: Type.String(),
    type: Type.String({ description: 'release, experiment, operational, kill-switch, permission' }),
    description: descriptionOrNull,
    archived: Type.Boolean(),
    project: Type.String(),
    enabled: Type.Boolean({ description: 'Whether it is enabled in any environment' }),
    stale: Type.Boolean(),
    potentiallyStale: Type.Optional(
      Type.Boolean({
        description:
          'True if it is not stale, but older than the lifetime of its type; otherwise, and when it is created, omitted',
      }),
    ),
    favorite: Type.Boolean({ description: "Whether it's one of your favorites" }),
    impressionData: Type.Boolean(),
    createdAt: instant,
    createdBy: PersonSchema,
    ...ownership,
    archivedAt: Type.Optional(nullable(instant)),
    lastSeenAt: Type.Optional(nullable({ ...instant, deprecated: true })),
    environments: Type.Array(FeatureEnvironmentSchema),
    variants: Type.Array(VariantSchema, {
      deprecated: true,
      description: 'Variants of the last environment that has any',
    }),
    tags: Type.Array(TagSchema),
    children: Type.Array(Type.String(), {
      description: 'Features that depend on it; experimental',
    }),
    lifecycle: LifecycleSchema,
    dependencies: Type.Array(DependencySchema),
    collaborators: Type.Object({ users: Type.Array(PersonSchema) }),
    links: Type.Optional(
      Type.Array(LinkSchema, {
        description: 'Pages about the feature elsewhere; omitted if there are none',
      }),
    ),
    lastEventId: Type.Optional(
      Type.Integer({
        description: 'ID of its newest event, for `expected` of …/changes; only if requested',
      }),
    ),
  }),
);
export type Feature = Static<typeof FeatureSchema>;

/** For operations of the specification: what is not nullable there is never null. */
export const SpecifiedFeatureSchema = Type.Object({
  ...Type.Omit(FeatureSchema, ['lastEventId', 'potentiallyStale']).properties,
  description: Type.String(),
});

export { FeatureSummarySchema };

/** A feature in answers of the search. */
export const FoundFeatureSchema = named(
  'featureSearchResponseSchema',
  Type.Object({
    ...FeatureSummarySchema.properties,
    environments: Type.Array(
      Type.Object({
        ...featureEnvironmentShape,
        lastSeenAt: nullable(instant),
        enabledStrategyCount: Type.Integer({
          minimum: 0,
          description: 'Number of strategies that are not disabled',
        }),
        rollout: nullable(
          Type.Number({
            minimum: 0,
            maximum: 100,
            description:
              'Percentage of the only enabled strategy, or 100 if one of several is for everyone; null if there is none',
          }),
        ),
        targeted: Type.Boolean({
          description:
            'Whether the only enabled strategy has constraints, segments, or a type without a percentage',
        }),
      }),
    ),
    potentiallyStale: Type.Boolean({
      description: 'Whether it is not stale, but older than the lifetime of its type',
    }),
    dependencyType: Type.Unsafe<'parent' | 'child' | null>({
      type: ['string', 'null'],
      enum: ['parent', 'child', null],
      description: 'Whether it has a parent or children',
    }),
    lifecycle: LifecycleSchema,
    segments: Type.Array(Type.String(), { description: 'Names of its segments' }),
  }),
);
export type FoundFeature = Static<typeof FoundFeatureSchema>;
