import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Actor } from '../actor.ts';
import type { Endpoint, Output } from '../contract/endpoint.ts';
import type { Handled, ServedEndpoint } from './checked.ts';
import { usualBytes } from './large-bodies.ts';
import { createAddressing } from './resource.ts';
import { type RequestRules, validation } from './validate.ts';

export interface RequestContext {
  readonly actor: Actor;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: ServedEndpoint;
    /** A public file that is no document: a script, style, or font of the UI. */
    isFile?: boolean;
  }
  interface FastifyInstance {
    /** Proposes a change that was refused because it needs approval. Undefined if that is not why it was refused. */
    proposeInstead: (refusal: unknown, actor: Actor) => Promise<object | undefined>;
  }
  interface FastifyRequest {
    actor: Actor | null;
    /** Waits for the share of a request whose body has arrived, if its share does not begin before that. */
    awaitTurn: (() => Promise<void>) | null;
    /** Ends the share of a request without an account. */
    endTurn: (() => void) | null;
    /** What the endpoint's check parsed from the request. */
    parsed: unknown;
    /** The route's configuration, set by the gate: Fastify creates `routeOptions` anew on each access. */
    routeConfig: FastifyRequest['routeOptions']['config'] | null;
  }
}

/** Cached by schema, so that endpoints with the same body share a validator. */
const schemaWithOptionalDefaults = new WeakMap<TSchema, TSchema>();

/** Removes properties with defaults from `required`, because a request may omit them. */
function withoutDefaulted(schema: TSchema): TSchema {
  const cached = schemaWithOptionalDefaults.get(schema);
  if (cached) return cached;
  const { properties, required } = schema as {
    properties?: Record<string, { default?: unknown }>;
    required?: string[];
  };
  if (!properties || !required) return schema;
  const left = required.filter((name) => properties[name]?.default === undefined);
  if (left.length === required.length) return schema;
  const made = { ...schema, required: left } as TSchema;
  schemaWithOptionalDefaults.set(schema, made);
  return made;
}

/** Returns the validation rules of an endpoint. */
export const rulesOf = ({ params, query, body, check }: ServedEndpoint): RequestRules => ({
  params,
  query: query && withoutDefaulted(query),
  body: body && withoutDefaulted(body),
  check,
});

const locationHeader = {
  Location: {
    schema: { type: 'string' },
    description: 'URL of the created resource, relative to this URL',
  },
};

/** Returns the Location header. It is relative, so that it is correct behind a proxy that adds a path prefix. */
function locationOf({ path, locatedBy }: Endpoint, answer: unknown): string {
  const key = (answer as Record<string, string | number>)[locatedBy as string];
  return `${path.split('/').at(-1)}/${encodeURIComponent(key as string)}`;
}

const proposeParameter = {
  type: 'string',
  enum: ['true', 'false'],
  description: 'If true and the change needs approval, it is proposed instead of being refused',
};

function querySchemaOf({ query, proposable }: Endpoint) {
  const own = query && withoutDefaulted(query);
  if (!proposable) return own ? { querystring: own } : {};
  const { properties = {}, ...rest } = (own ?? { type: 'object' }) as { properties?: object };
  return { querystring: { ...rest, properties: { ...properties, propose: proposeParameter } } };
}

/** Returns the schema of an endpoint for Fastify and the OpenAPI document. */
function schemaOf(e: Endpoint) {
  const status = e.status ?? 200;
  const others = Object.fromEntries(
    Object.entries(e.alsoProduces ?? {}).map(([type, description]) => [
      type,
      { schema: { type: 'string', description } },
    ]),
  );
  const content = {
    ...(e.response && { 'application/json': { schema: e.response } }),
    ...others,
  };
  const answer =
    Object.keys(content).length > 0
      ? { description: e.summary, ...(e.locatedBy && { headers: locationHeader }), content }
      : { type: 'null', description: 'Success; the response has no body' };
  return {
    operationId: e.id,
    tags: [e.tag],
    summary: e.summary,
    ...(e.description ? { description: e.description } : {}),
    ...(e.deprecated ? { deprecated: true } : {}),
    ...(e.permission === 'public' ? { security: [] } : {}),
    ...(e.params ? { params: e.params } : {}),
    ...querySchemaOf(e),
    ...(e.body ? { body: withoutDefaulted(e.body) } : {}),
    response: { [status]: answer },
  };
}

const errorSchema = { $ref: 'Error#' };

function bodyLimitOf({ bodyLimitBytes = usualBytes }: Endpoint): string {
  const kib = bodyLimitBytes / 1024;
  return kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`;
}

/** Returns the description of the 403 response. */
function refusals({ audience, permission, method, proposable }: Endpoint): string | undefined {
  const rule = 'InvalidOperationError: the operation is not allowed in the current state';
  if (audience) {
    const kinds = `${audience.join(', ')} or admin`;
    return `NoAccessError: the endpoint requires a ${kinds} token`;
  }
  if (permission === 'public') return method === 'GET' ? undefined : rule;
  const missing = proposable
    ? 'the permission is missing, or the change needs approval: `proposal` in the response has the path and the body of a request that proposes it'
    : 'the permission is missing';
  return `NoAccessError: ${missing}${method === 'GET' ? '' : `; ${rule}`}`;
}

/** Returns the error responses for the document. `sendError` writes them without the route's schema. */
export function otherResponses(e: Endpoint): Record<string, unknown> {
  const responses: Record<string, unknown> = {};
  const describe = (status: number | 'default', description: string) => {
    responses[status] = {
      description,
      content: { 'application/json': { schema: errorSchema } },
    };
  };
  if (e.notModified) {
    responses[304] = { type: 'null', description: 'Unchanged since the ETag in If-None-Match' };
  }
  if (e.params || e.query || e.body) {
    const pattern = e.pattern ? `; PatternError: ${e.pattern}` : '';
    describe(400, `BadDataError: the request is invalid${pattern}`);
  }
  if (e.permission !== 'public') describe(401, 'AuthenticationRequired: no valid token or session');
  if (e.proposable) {
    responses[202] = {
      description:
        e.status === 202
          ? 'Success, without a body; with `propose=true`, if the change needs approval, it was proposed'
          : 'With `propose=true`: the change needs approval and was proposed',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['changeRequest'],
            properties: {
              changeRequest: {
                type: 'object',
                required: ['id', 'project', 'environment'],
                properties: {
                  id: { type: 'integer', description: 'The draft that has the change' },
                  project: { type: 'string' },
                  environment: { type: 'string' },
                },
              },
            },
          },
        },
      },
    };
  }
  const refused = refusals(e);
  if (refused) describe(403, refused);
  if (e.refusesSecret) describe(401, `AuthenticationRequired: ${e.refusesSecret}`);
  if (e.params) describe(404, 'NotFoundError: the resource does not exist');
  if (e.conflict) describe(409, `NameExistsError: ${e.conflict}`);
  if (e.outdated) describe(409, `ConflictError: ${e.outdated}`);
  if (e.body) describe(413, `PayloadTooLargeError: the body is larger than ${bodyLimitOf(e)}`);
  if (e.body) describe(415, 'ContentTypeerror: the body is not application/json');
  if (e.throttled) describe(429, 'TooManyRequestsError: try again after Retry-After seconds');
  describe(
    'default',
    'InternalError (500), UnavailableError (503), MaintenanceError (503): the request itself is valid',
  );
  return responses;
}

type Result<E extends Endpoint> = Output<E> | FastifyReply | undefined;

/**
 * Receives the validated input and returns the response of the contract. A handler that streams, or has serialised
 * JSON, sends it through `reply` and returns `reply`.
 */
export type Handler<E extends ServedEndpoint> = (
  input: Handled<E>,
  context: RequestContext,
) => Result<E> | Promise<Result<E>>;

/** If the change is refused because it needs approval, it is proposed, and the response says so: 202. */
async function proposing<Answer>(
  { proposeInstead }: FastifyInstance,
  change: () => Answer | Promise<Answer>,
  { actor, request, reply }: RequestContext,
): Promise<Answer | string> {
  const { onlyProposes } = actor;
  const isDryRun = (request.query as { dryRun?: string }).dryRun === 'true';
  try {
    const answer = await change();
    // The change needs no approval, but a permission.
    if (onlyProposes && !isDryRun) throw onlyProposes.refusal;
    return answer;
  } catch (refusal) {
    const proposed = await proposeInstead(refusal, onlyProposes?.as ?? actor);
    if (!proposed) throw refusal;
    reply.status(202).header('content-type', 'application/json; charset=utf-8');
    // Serialised here, because the schema of the route is that of the change itself.
    return JSON.stringify(proposed);
  }
}

/** Registers an endpoint. */
export function route<E extends ServedEndpoint>(
  app: FastifyInstance,
  e: E,
  handle: Handler<E>,
): void {
  const validate = validation(rulesOf(e));
  const addressing = createAddressing(e);
  const status = e.status ?? 200;
  app.route({
    method: e.method,
    url: e.path,
    ...(e.bodyLimitBytes !== undefined && { bodyLimit: e.bodyLimitBytes }),
    schema: schemaOf(e),
    config: { endpoint: e },
    // Validates in the handler and not in a hook, so that it is the last step before the work.
    handler: async (request, reply) => {
      if (!request.isExamined) validate(request);
      const { params, query, body, parsed } = request;
      const actor = addressing(request.actor as Actor, { params, query, body });
      const input = { params, query, body, parsed } as Handled<E>;
      const context = { actor, request, reply };
      const proposes = e.proposable && (query as { propose?: string }).propose === 'true';
      const answer = await (proposes
        ? proposing(app, () => handle(input, context), context)
        : handle(input, context));
      // A handler that sent its response itself returns `reply`, which resolves to undefined after the last byte.
      if (reply.sent || reply.raw.headersSent) return undefined;
      if (reply.statusCode === 202) return answer;
      if (e.locatedBy) reply.header('location', locationOf(e, answer));
      reply.status(status);
      return answer;
    },
  });
}
