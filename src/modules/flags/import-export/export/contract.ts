import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { atMoment, named } from '../../../../platform/contract/schema.ts';
import { ExportDocumentSchema } from '../document-schema.ts';

const ExportRequestSchema = named(
  'exportQuerySchema',
  Type.Object({
    environment: Type.String({
      description: 'Environment whose strategies, variants, and states are exported',
    }),
    features: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        maxItems: 10_000,
        description:
          'Names of features; an empty list: all features that you can see, or those selected by tag or project',
      }),
    ),
    tag: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'All features with a tag of this value, or of this type:value; used only without features',
      }),
    ),
    project: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'All features of a project; used only without features and tag',
      }),
    ),
    ...atMoment.properties,
    downloadFile: Type.Optional(
      Type.Boolean({ description: 'Whether a browser should save the response as a file' }),
    ),
  }),
);
export type ExportRequest = Static<typeof ExportRequestSchema>;

export const contract = {
  exportFeatures: endpoint({
    method: 'POST',
    path: '/api/admin/features-batch/export',
    id: 'exportFeatures',
    largeResponse: true,
    tag: 'Import/Export',
    summary: 'Export features with their configuration in an environment',
    description:
      'Exports the active features that you can see, selected by name, tag, or project. Segments are referenced by name, not exported.',
    permission: 'none',
    body: ExportRequestSchema,
    response: ExportDocumentSchema,
  }),
};
