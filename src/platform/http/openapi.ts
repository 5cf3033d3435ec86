import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { registerApiPage } from './api-page.ts';
import { sessionCookie } from './authenticate.ts';
import { constantJson } from './constant-json.ts';
import { withNamedSchemas } from './named-schemas.ts';
import { otherResponses } from './route.ts';

const errorSchema = {
  $id: 'Error',
  type: 'object',
  description: 'What went wrong. The ID is also in the log.',
  required: ['id', 'name', 'message', 'details'],
  properties: {
    id: { type: 'string', format: 'uuid', description: 'ID of this error' },
    name: { type: 'string', description: 'Kind of error' },
    message: { type: 'string', description: 'Description of what went wrong' },
    details: {
      type: 'array',
      description: 'Every problem that was found',
      items: {
        type: 'object',
        required: ['message'],
        properties: {
          message: { type: 'string' },
          path: { type: 'string', description: 'JSON pointer to the problem, such as /query/from' },
        },
      },
    },
    type: {
      type: 'string',
      description:
        'With 401 under /api/admin: the sign-in method, a form with username and password',
    },
    path: { type: 'string', description: 'With 401 under /api/admin: URL that receives the form' },
    defaultHidden: {
      type: 'boolean',
      description: 'With 401 under /api/admin: whether sign-in by password is disabled',
    },
    options: {
      type: 'array',
      description: 'With 401 under /api/admin: other sign-in methods',
      items: {
        type: 'object',
        required: ['type', 'message', 'path'],
        properties: {
          type: { type: 'string' },
          message: { type: 'string' },
          path: { type: 'string', description: 'URL to open in a browser' },
        },
      },
    },
  },
};

interface Operation {
  readonly requestBody?: {
    required?: boolean;
    readonly content: Readonly<
      Record<string, { readonly schema?: { readonly default?: unknown } }>
    >;
  };
}

/** Marks bodies with a default as optional; the plugin marks every body as required. */
function withOptionalBodies<Document extends { paths?: object }>(document: Document): Document {
  const operations = Object.values(document.paths ?? {}).flatMap((path) =>
    Object.values<Operation>(path),
  );
  for (const { requestBody } of operations) {
    const schema = requestBody?.content['application/json']?.schema;
    if (requestBody && schema?.default !== undefined) requestBody.required = false;
  }
  return document;
}

/** Registers the OpenAPI document of all contracts. Must run before the first route. */
export async function registerOpenApi(
  app: FastifyInstance,
  version: string,
  basePath = '',
): Promise<void> {
  app.addSchema(errorSchema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Burgee',
        version,
        description:
          'Feature-flag administration with an event log that is complete, fast, and provable. ' +
          'Implements the admin API of Unleash.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: 'An API token or a personal access token, optionally after "Bearer "',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: sessionCookie,
            description: 'Set when a user signs in',
          },
        },
      },
      security: [{ apiKey: [] }, { session: [] }],
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => `${json.$id ?? `def-${index}`}`,
    },
    hideUntagged: true,
    transformObject: (document) =>
      'openapiObject' in document
        ? withNamedSchemas(withOptionalBodies(document.openapiObject))
        : document.swaggerObject,
    transform: ({ schema, url, route }) => {
      const endpoint = route.config?.endpoint;
      if (!endpoint) return { schema, url };
      const response = { ...(schema.response ?? {}), ...otherResponses(endpoint) };
      return { schema: { ...schema, response }, url };
    },
  });
  const sendDocument = constantJson(() => app.swagger());
  app.get('/docs/openapi.json', { logLevel: 'warn' }, sendDocument);
  registerApiPage(app, basePath);
}
