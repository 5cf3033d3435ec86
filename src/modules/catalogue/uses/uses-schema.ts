import { type Static, Type } from 'typebox';
import { named } from '../../../platform/contract/schema.ts';

/** How many features a response names. The rest is counted. */
export const maxFeatures = 100;

/** Where something of the catalogue is used, in projects that the caller can see. */
export const UsesSchema = named(
  'usesSchema',
  Type.Object({
    features: Type.Array(
      Type.Object({
        name: Type.String(),
        project: Type.String(),
        archived: Type.Boolean(),
        environments: Type.Array(
          Type.Object({
            name: Type.String(),
            enabled: Type.Boolean({ description: 'Whether the feature is enabled there' }),
          }),
          { description: 'The environments in which the feature uses it, by name' },
        ),
      }),
      { description: `The first ${maxFeatures} features, active ones first` },
    ),
    featureCount: Type.Integer({ description: 'Number of all features, including archived ones' }),
    enabledFeatureCount: Type.Integer({
      description: 'Number of active features that are enabled where they use it',
    }),
    projects: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        archived: Type.Boolean(),
        environments: Type.Array(Type.String(), {
          description: 'The environments in which the default strategy of the project uses it',
        }),
      }),
      { description: 'Projects that use it outside of features' },
    ),
    segments: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        project: Type.Optional(Type.String()),
      }),
      { description: 'Segments that use it' },
    ),
  }),
);
export type Uses = Static<typeof UsesSchema>;

export const usesDescription =
  'Only in projects that you can see. Archived features count too, because they can be revived.';
