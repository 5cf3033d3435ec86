import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import { instant, maxInteger, nameText } from '../../../platform/contract/schema.ts';

const tag = 'Code references';
const scope = 'projectId';
const path = '/api/admin/projects/:projectId/code-references';
const params = Type.Object({ projectId: Type.String() });

const repository = nameText({
  maxLength: 200,
  description: 'Name of the repository; only its last scan is stored',
});
const line = Type.Integer({ minimum: 1, maximum: maxInteger });
const filePath = Type.String({ minLength: 1, maxLength: 1000 });

const ScanSchema = Type.Object({
  repository,
  commit: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The scanned commit',
    }),
  ),
  references: Type.Array(
    Type.Object({
      feature: Type.String({ minLength: 1, maxLength: 100 }),
      path: filePath,
      line,
    }),
    // No list in a request may have more items.
    { maxItems: 10_000 },
  ),
});
export type Scan = Static<typeof ScanSchema>;

const StoredScanSchema = Type.Object({
  repository,
  commit: nullable(Type.String()),
  scannedAt: instant,
  references: Type.Integer({ description: 'Number of distinct references' }),
});

const ScanOutcomeSchema = Type.Object({
  ...StoredScanSchema.properties,
  unknownFeatureCount: Type.Integer({
    description:
      'Names that are not features of the project. Their references are listed once such a feature exists',
  }),
  unknownFeatures: Type.Array(Type.String(), { description: 'The first 100 of them' }),
});
export type ScanOutcome = Static<typeof ScanOutcomeSchema>;

const ReferencesSchema = Type.Object({
  scans: Type.Array(StoredScanSchema, { description: 'Scans of all repositories, by name' }),
  references: Type.Array(
    Type.Object({ feature: Type.String(), repository, path: filePath, line }),
    { description: 'Sorted by feature, repository, path, and line' },
  ),
  total: Type.Integer({ minimum: 0 }),
});
export type References = Static<typeof ReferencesSchema>;

export const contract = {
  listCodeReferences: endpoint({
    method: 'GET',
    path,
    id: 'getCodeReferences',
    tag,
    summary: 'List code references of a project',
    permission: 'none',
    scope,
    params,
    query: Type.Object({
      feature: Type.Optional(Type.String({ description: 'Only references to this feature' })),
      repository: Type.Optional(Type.String({ description: 'Only references in this repository' })),
      limit: Type.Optional(Type.String({ description: 'Page size; default 50, maximum 1000' })),
      offset: Type.Optional(
        Type.String({ description: 'Number of references to skip; default 0' }),
      ),
    }),
    response: ReferencesSchema,
  }),

  replaceCodeReferences: endpoint({
    method: 'PUT',
    path,
    id: 'replaceCodeReferences',
    tag,
    summary: 'Replace the code references of a repository',
    description:
      'For CI pipelines that scan code for feature names. Replaces the results of the previous scan. Like SDK metrics, ' +
      'code references are not recorded in the event log.',
    permission: 'UPDATE_FEATURE',
    scope,
    params,
    body: ScanSchema,
    bodyLimitBytes: 16 * 1024 * 1024,
    response: ScanOutcomeSchema,
  }),

  deleteCodeReferences: endpoint({
    method: 'DELETE',
    path,
    id: 'deleteCodeReferences',
    tag,
    summary: 'Delete the code references of a repository',
    permission: 'UPDATE_FEATURE',
    scope,
    params,
    query: Type.Object({ repository }),
  }),
};
