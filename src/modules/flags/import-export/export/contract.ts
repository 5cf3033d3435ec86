import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { ExportDocumentSchema } from '../document-schema.ts';

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

export const contract = {
  exportFeatures: endpoint({
    method: 'POST',
    path: '/api/admin/features-batch/export',
    id: 'exportFeatures',
    tag: 'Import/Export',
    summary: 'Export features with their configuration in one environment',
    description:
      'Living features that you may see, by their names, by a tag, or all of a project. Segments are named, not exported.',
    permission: 'none',
    body: ExportRequestSchema,
    response: ExportDocumentSchema,
  }),
};
