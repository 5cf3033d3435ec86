import { type Static, Type } from 'typebox';
import { maxInteger, named } from '../../../../platform/contract/schema.ts';
import { OwnerSchema } from '../../../catalogue/projects/feature-summary-schema.ts';

export const SetOwnerSchema = named(
  'setFeatureOwnerSchema',
  Type.Object(
    { type: OwnerSchema.properties.type, id: Type.Integer({ minimum: 1, maximum: maxInteger }) },
    { description: 'User or group that is responsible for the feature and can see its project' },
  ),
);
export type SetOwner = Static<typeof SetOwnerSchema>;

export type ShownOwner = Static<typeof OwnerSchema>;
