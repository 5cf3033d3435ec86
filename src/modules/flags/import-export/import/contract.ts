import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { ImportDocumentSchema } from '../document-schema.ts';

const tag = 'Import/Export';

/** All other requests are limited to 1 MiB. */
const importLimitBytes = 32 * 1024 * 1024;
/** The answer is a plan for people, and no one reads a longer one. */
const validateLimitBytes = 8 * 1024 * 1024;

/** A caller without any of these permissions in any project cannot import. */
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
    project: Type.String({ description: 'Target project' }),
    environment: Type.String({
      description: 'Target environment of the project',
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
  featuresCreated: names('Features that are created'),
  featuresUpdated: names('Features that change'),
  featuresUnchanged: names('Features that stay unchanged'),
  strategiesAdded: ofFeatures({ name: Type.String() }),
  strategiesRemoved: ofFeatures({ id: Type.String(), name: Type.String() }),
  variantsSet: names('Features whose variants in the environment change'),
  switchedOn: names('Features that are enabled in the environment'),
  switchedOff: names('Features that are disabled in the environment'),
  tagsAdded: ofFeatures({ type: Type.String(), value: Type.String() }),
  dependenciesSet: ofFeatures({ parent: Type.String() }),
  contextFieldsCreated: names('Context fields that are created'),
  tagTypesCreated: names('Tag types that are created'),
});
export type PlanSummary = Static<typeof PlanSummarySchema>;

export const contract = {
  validateImport: endpoint({
    method: 'POST',
    path: '/api/admin/features-batch/validate',
    id: 'validateImport',
    // For those who propose the import.
    proposable: true,
    tag,
    summary: 'Validate an import',
    permission: anyPermission,
    demandedByService: true,
    duringMaintenance: true,
    bodyLimitBytes: validateLimitBytes,
    body: ImportRequestSchema,
    response: named(
      'importTogglesValidateSchema',
      Type.Object({
        errors: Type.Array(FindingSchema, {
          description: 'If there are any, the import is refused',
        }),
        warnings: Type.Array(FindingSchema),
        permissions: Type.Array(FindingSchema, {
          description: 'Missing permissions; if there are any, the import is refused',
        }),
        plan: PlanSummarySchema,
      }),
    ),
  }),

  importFeatures: endpoint({
    method: 'POST',
    path: '/api/admin/features-batch/import',
    id: 'importToggles',
    proposable: true,
    tag,
    summary: 'Import features into an environment, all or nothing',
    description:
      'Missing features are created; existing ones get the metadata of the document. Their strategies in the ' +
      'environment are replaced by those in the document, and so are variants and state if the document has them. Tags and dependencies are ' +
      'added, never removed. Missing context fields and tag types are created. Segments, found by name, and custom ' +
      'strategy types must exist. Requires the permission for each change that the import makes.',
    permission: anyPermission,
    demandedByService: true,
    bodyLimitBytes: importLimitBytes,
    body: ImportRequestSchema,
  }),
};
