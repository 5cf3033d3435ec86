import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../../platform/contract/endpoint.ts';
import { atMoment, named } from '../../../../platform/contract/schema.ts';

const tag = 'Feature types';

const FeatureTypeSchema = named(
  'featureTypeSchema',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    lifetimeDays: nullable(
      Type.Integer({
        description:
          'Expected lifetime in days, after which a feature is potentially stale; null: unlimited',
      }),
    ),
  }),
);
export type FeatureType = Static<typeof FeatureTypeSchema>;

const UsedFeatureTypeSchema = named(
  'featureTypeSchema',
  Type.Object({
    ...FeatureTypeSchema.properties,
    usedInFeatures: Type.Integer({
      description: 'Number of active features of the type, in projects that you can see',
    }),
  }),
);
export type UsedFeatureType = Static<typeof UsedFeatureTypeSchema>;

export const featureTypeContract = {
  listFeatureTypes: endpoint({
    method: 'GET',
    path: '/api/admin/feature-types',
    id: 'getAllFeatureTypes',
    tag,
    summary: 'List feature types with their lifetimes',
    permission: 'none',
    query: atMoment,
    response: named(
      'featureTypesSchema',
      Type.Object({ version: Type.Integer(), types: Type.Array(UsedFeatureTypeSchema) }),
    ),
  }),

  setLifetime: endpoint({
    method: 'PUT',
    path: '/api/admin/feature-types/:id/lifetime',
    id: 'updateFeatureTypeLifetime',
    tag,
    summary: 'Set the expected lifetime of a feature type',
    permission: 'ADMIN',
    params: Type.Object({ id: Type.String() }),
    body: named(
      'updateFeatureTypeLifetimeSchema',
      Type.Object({
        lifetimeDays: nullable(
          Type.Integer({ minimum: 0, maximum: 100_000, description: 'Zero or null: unlimited' }),
        ),
      }),
    ),
    response: FeatureTypeSchema,
  }),
};
