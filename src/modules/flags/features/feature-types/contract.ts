import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';

const tag = 'Feature types';

const FeatureTypeSchema = named(
  'featureTypeSchema',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    lifetimeDays: nullable(
      Type.Integer({ description: 'After so many days a feature of the type is due; null: never' }),
    ),
  }),
);
export type FeatureType = Static<typeof FeatureTypeSchema>;

export const featureTypeContract = {
  listFeatureTypes: endpoint({
    method: 'GET',
    path: '/api/admin/feature-types',
    id: 'getAllFeatureTypes',
    tag,
    summary: 'The types that a feature can have, and how long those of a type usually live',
    permission: 'none',
    response: named(
      'featureTypesSchema',
      Type.Object({ version: Type.Integer(), types: Type.Array(FeatureTypeSchema) }),
    ),
  }),

  setLifetime: endpoint({
    method: 'PUT',
    path: '/api/admin/feature-types/:id/lifetime',
    id: 'updateFeatureTypeLifetime',
    tag,
    summary: 'Say how long features of a type usually live',
    permission: 'ADMIN',
    params: Type.Object({ id: Type.String() }),
    body: named(
      'updateFeatureTypeLifetimeSchema',
      Type.Object({
        lifetimeDays: nullable(
          Type.Integer({ minimum: 0, maximum: 100_000, description: 'Zero or null: for ever' }),
        ),
      }),
    ),
    response: FeatureTypeSchema,
  }),
};
