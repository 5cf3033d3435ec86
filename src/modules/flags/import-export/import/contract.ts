import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { ImportDocumentSchema } from '../document-schema.ts';

const tag = 'Import/Export';

/** All other requests are limited to 1 MiB. */
const importLimitBytes = 32 * 1024 * 1024;
/** The answer is a plan for people, and nobody reads a longer one. */
const validateLimitBytes = 8 * 1024 * 1024;

/** Whoever has none of these anywhere can import nothing. */
const anyPermission = [
  'CREATE_FEATURE',
  'UPDATE_FEATURE',
  'UPDATE_FEATURE_DEPENDENCY',
  'CREATE_FEATURE_STRATEGY',
  'DELETE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  'UPDATE_FEATURE_ENVIRONMENT',
  'CREATE_CONTEXT_FIELD',
  'CREATE_TAG_TYPE',
] as const;

const ImportRequestSchema = named(
  'importTogglesSchema',
  Type.Object({
    project: Type.String({ description: 'The project that receives the features' }),
    environment: Type.String({
      description: 'The environment of it that receives their configuration',
    }),
    data: ImportDocumentSchema,
  }),
);
export type ImportRequest = Static<typeof ImportRequestSchema>;

const FindingSchema = Type.Object({
  message: Type.String(),
  affectedItems: Type.Array(Type.String()),
});
export type Finding = Static<typeof FindingSchema>;

const names = (description: string) => Type.Array(Type.String(), { description });
const ofFeatures = <P extends Record<string, ReturnType<typeof Type.String>>>(more: P) =>
  Type.Array(Type.Object({ featureName: Type.String(), ...more }));

/** Everything that an import does. */
const PlanSummarySchema = Type.Object({
  featuresCreated: names('Features that the project gets'),
  featuresUpdated: names('Features of which anything changes'),
  featuresUnchanged: names('Features that are as the document says'),
  strategiesAdded: ofFeatures({ name: Type.String() }),
  strategiesRemoved: ofFeatures({ id: Type.String(), name: Type.String() }),
  variantsSet: names('Features whose variants change in the environment'),
  switchedOn: names('Features that are switched on in the environment'),
  switchedOff: names('Features that are switched off in the environment'),
  tagsAdded: ofFeatures({ type: Type.String(), value: Type.String() }),
  dependenciesSet: ofFeatures({ parent: Type.String() }),
  contextFieldsCreated: names('Context fields that do not exist yet'),
  tagTypesCreated: names('Tag types that do not exist yet'),
});
export type PlanSummary = Static<typeof PlanSummarySchema>;

export const contract = {
  validateImport: endpoint({
    method: 'POST',
    path: '/api/admin/features-batch/validate',
    id: 'validateImport',
    tag,
    summary: 'What an import would do, what forbids it, and what to know before it',
    permission: anyPermission,
    demandedByService: true,
    duringMaintenance: true,
    bodyLimitBytes: validateLimitBytes,
    body: ImportRequestSchema,
    response: named(
      'importTogglesValidateSchema',
      Type.Object({
        errors: Type.Array(FindingSchema, {
          description: 'With any of these the import is refused',
        }),
        warnings: Type.Array(FindingSchema),
        permissions: Type.Array(FindingSchema, {
          description:
            'What you may not do, and would have to: with any of these the import is refused',
        }),
        plan: PlanSummarySchema,
      }),
    ),
  }),

  importFeatures: endpoint({
    method: 'POST',
    path: '/api/admin/features-batch/import',
    id: 'importToggles',
    tag,
    summary: 'Import features into an environment of a project, all or none',
    description:
      'Features that do not exist are created, others get the metadata of the document. Their strategies in the ' +
      'environment become those of the document, as do variants and state where it has them. Tags and dependencies are ' +
      'added, none is removed. Missing context fields and tag types are created; segments, found by name, and custom ' +
      'strategy types have to be there. You need the permission for each thing that really happens.',
    permission: anyPermission,
    demandedByService: true,
    bodyLimitBytes: importLimitBytes,
    body: ImportRequestSchema,
  }),
};
