import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { registerApiPage } from './api-page.ts';
import { sessionCookie } from './authenticate.ts';
import { withNamedSchemas } from './named-schemas.ts';
import { otherResponses } from './route.ts';

const errorSchema = {
  $id: 'Error',
  type: 'object',
  description: 'What went wrong. The id stands in the log line too.',
  required: ['id', 'name', 'message', 'details'],
  properties: {
    id: { type: 'string', format: 'uuid', description: 'Identifier of this error instance' },
    name: { type: 'string', description: 'Kind of error' },
    message: { type: 'string', description: 'Description of what went wrong' },
    details: {
      type: 'array',
      description: 'Every fault that was found',
      items: {
        type: 'object',
        required: ['message'],
        properties: {
          message: { type: 'string' },
          path: { type: 'string', description: 'JSON pointer to the fault, such as /query/from' },
        },
      },
    },
    type: {
      type: 'string',
      description:
        'With 401 under /api/admin: how people sign in, by a form for a name and a password',
    },
    path: { type: 'string', description: 'With 401 under /api/admin: where that form is sent' },
    defaultHidden: {
      type: 'boolean',
      description: 'With 401 under /api/admin: whether nobody signs in with a password',
    },
    options: {
      type: 'array',
      description: 'With 401 under /api/admin: other ways to sign in',
      items: {
        type: 'object',
        required: ['type', 'message', 'path'],
        properties: {
          type: { type: 'string' },
          message: { type: 'string' },
          path: { type: 'string', description: 'Where a browser goes to sign in so' },
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

/** A body with a default may be missing; the plugin says of every one that it is required. */
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

/** The document that all contracts together make. Registered before the first route. */
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
          'Feature-flag administration with an event log that is complete, instant and provable. ' +
          'Speaks the admin API of Unleash.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: 'An API token or a personal access token, bare or after "Bearer "',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: sessionCookie,
            description: 'Set by a log-in',
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
  app.get('/docs/openapi.json', { logLevel: 'warn' }, async () => app.swagger());
  registerApiPage(app, basePath);
}
