import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { ExportDocumentSchema, ImportDocumentSchema } from './document.ts';

const tag = 'Import/Export';

/** As decided for imports; everything else takes one. */
const importLimitBytes = 32 * 1024 * 1024;
/** A plan is for people to read: nobody reads one of more than that. */
const validateLimitBytes = 8 * 1024 * 1024;

/** One of these, somewhere: whoever has none of them can import nothing. */
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

const ExportRequestSchema = named(
  'exportQuerySchema',
  Type.Object({
    environment: Type.String({ description: 'Whose strategies, variants and states are exported' }),
    features: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        maxItems: 10_000,
        description:
          'Names of features; an empty list: all that you may see, or what else is named here',
      }),
    ),
    tag: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'All with a tag of this value, or of this type:value; read without features',
      }),
    ),
    project: Type.Optional(
      Type.String({ minLength: 1, description: 'All of a project; read without features and tag' }),
    ),
    downloadFile: Type.Optional(
      Type.Boolean({ description: 'Whether a browser shall save the answer as a file' }),
    ),
  }),
);
export type ExportRequest = Static<typeof ExportRequestSchema>;

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

/** Everything that an import does, and nothing else. */
const OutlookSchema = Type.Object({
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
export type Outlook = Static<typeof OutlookSchema>;

export const contract = {
  exportFeatures: endpoint({
    method: 'POST',
    path: '/api/admin/features-batch/export',
    id: 'exportFeatures',
    tag,
    summary: 'Export features with their configuration in one environment',
    description:
      'Living features that you may see, by their names, by a tag, or all of a project. Segments are named, not exported.',
    permission: 'none',
    body: ExportRequestSchema,
    response: ExportDocumentSchema,
  }),

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
        plan: OutlookSchema,
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
