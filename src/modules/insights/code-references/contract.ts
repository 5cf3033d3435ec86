import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import { instant, maxInteger } from '../../../platform/contract/schema.ts';

const tag = 'Code references';
const scope = 'projectId';
const path = '/api/admin/projects/:projectId/code-references';
const params = Type.Object({ projectId: Type.String() });

const repository = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'By which name the repository is known; each has one scan, the last',
});
const line = Type.Integer({ minimum: 1, maximum: maxInteger });
const filePath = Type.String({ minLength: 1, maxLength: 1000 });

const ScanSchema = Type.Object({
  repository,
  commit: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'What was searched' }),
  ),
  references: Type.Array(
    Type.Object({
      feature: Type.String({ minLength: 1, maxLength: 100 }),
      path: filePath,
      line,
    }),
    // More items than that no list of a request has.
    { maxItems: 10_000 },
  ),
});
export type Scan = Static<typeof ScanSchema>;

const StoredScanSchema = Type.Object({
  repository,
  commit: nullable(Type.String()),
  scannedAt: instant,
  references: Type.Integer({ description: 'How many references were found, each counted once' }),
});

const ScanOutcomeSchema = Type.Object({
  ...StoredScanSchema.properties,
  unknownFeatureCount: Type.Integer({
    description:
      'Names that no feature of the project has; where they stand is told once there is such a feature',
  }),
  unknownFeatures: Type.Array(Type.String(), { description: 'The first hundred of them' }),
});
export type ScanOutcome = Static<typeof ScanOutcomeSchema>;

const ReferencesSchema = Type.Object({
  scans: Type.Array(StoredScanSchema, { description: 'Of all repositories, by name' }),
  references: Type.Array(
    Type.Object({ feature: Type.String(), repository, path: filePath, line }),
    { description: 'By feature, repository, path and line' },
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
    summary: 'Where features of a project stand in code, as far as somebody searched it',
    permission: 'none',
    scope,
    params,
    query: Type.Object({
      feature: Type.Optional(Type.String({ description: 'Only references to this feature' })),
      repository: Type.Optional(Type.String({ description: 'Only references in this repository' })),
      limit: Type.Optional(
        Type.String({ description: 'References in a page: 50; more than 1000 is served as 1000' }),
      ),
      offset: Type.Optional(Type.String({ description: 'References to skip: 0' })),
    }),
    response: ReferencesSchema,
  }),

  replaceCodeReferences: endpoint({
    method: 'PUT',
    path,
    id: 'replaceCodeReferences',
    tag,
    summary:
      'Tell what a search through a repository found; what an earlier one found is forgotten',
    description:
      'For a pipeline that searches code for the names of features. What it finds is measured, like the metrics ' +
      'of SDKs: nothing is recorded in the event log.',
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
    summary: 'Forget what searches through a repository found',
    permission: 'UPDATE_FEATURE',
    scope,
    params,
    query: Type.Object({ repository }),
  }),
};
