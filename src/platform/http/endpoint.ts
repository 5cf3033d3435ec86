import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import type { Actor, Audience } from '../db/database.ts';
import type { Fault } from '../errors.ts';
import { sendFailure } from './error-handler.ts';
import { type RequestRules, validation } from './validate.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One operation, described once. Validation, serialisation, OpenAPI, the permission check and the
 * page's types all read this value.
 */
export interface Endpoint<
  M extends Method = Method,
  Path extends string = string,
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Response extends TSchema = TSchema,
> {
  readonly method: M;
  readonly path: Path;
  /** The operationId of the OpenAPI document. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Any one of them is enough. `none`: whoever may use the API at all. `public`: everybody. */
  readonly permission: 'none' | 'public' | (string & {}) | readonly string[];
  /** The path parameter that names the scope in which the permission is needed. */
  readonly scope?: string;
  /** The path parameter that names a thing, where the path does not say in which scope it lies. */
  readonly scopeOf?: string;
  /** Where only the body, or what is stored, tells the scope: the service demands the permission. */
  readonly demandedByService?: true;
  /** Programs that evaluate, where the endpoint is theirs; admin tokens may do what they may. */
  readonly audience?: readonly Audience[];
  /** A request that changes nothing, or that is needed to end maintenance: it is always served. */
  readonly duringMaintenance?: true;
  /** A change that is meant for an archived scope too; for others it is as if it were gone. */
  readonly alsoArchived?: boolean;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Left out: the answer has no body. */
  readonly response?: Response;
  /** Content types beside JSON, or without a response instead of it, that the answer can have. */
  readonly alsoProduces?: Readonly<Record<string, string>>;
  readonly status?: 200 | 201 | 202 | 204 | 302;
  /** The property of the answer under which what was made is found below this path: sent as Location. */
  readonly locatedBy?: string;
  /** Whether who names in If-None-Match what it has is answered with 304 while that is still true. */
  readonly notModified?: true;
  readonly deprecated?: boolean;
  /** Where a body may be larger than the usual limit. */
  readonly bodyLimitBytes?: number;
  /** When the answer is 409: what is taken, or stands in the way. */
  readonly conflict?: string;
  /** When a public request is answered with 401: what was not proved. */
  readonly refusesSecret?: string;
  /** Whether guessing is slowed down: 429 with Retry-After. */
  readonly throttled?: true;
  /** When the answer is 400 PatternError: which rule for names was broken. */
  readonly pattern?: string;
  /** What a schema cannot say: impossible dates, a pattern that does not compile. */
  readonly check?: (input: {
    params: Static<Params>;
    query: Static<Query>;
    body: Static<Body>;
  }) => readonly Fault[];
}

export const endpoint = <
  const M extends Method,
  const Path extends string,
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Response extends TSchema = TSchema,
>(
  value: Endpoint<M, Path, Params, Query, Body, Response>,
) => value;

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : never;

export interface Input<E extends Endpoint> {
  readonly params: StaticOf<NonNullable<E['params']>>;
  readonly query: StaticOf<NonNullable<E['query']>>;
  readonly body: StaticOf<NonNullable<E['body']>>;
}

type Output<E extends Endpoint> = StaticOf<NonNullable<E['response']>>;

export interface RequestContext {
  readonly actor: Actor;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    actor: Actor | null;
    /** Of the route, once the gate has looked at it: Fastify puts `routeOptions` together anew each time. */
    routeConfig: FastifyRequest['routeOptions']['config'] | null;
  }
}

/** A property that may be left out, and then has this value. Required for whoever reads it. */
export const withDefault = <S extends TSchema>(schema: S, value: Static<S>) =>
  Type.Unsafe<Static<S>>({ ...schema, default: value });

/** `type: [x, 'null']`: the only spelling of nullable that the serialiser sends as null. */
export const nullable = <S extends TSchema & { type: string }>(schema: S) =>
  Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, 'null'] });

/** Made once of each: endpoints with the same body, and servers in one process, share its validator. */
const wholeWithout = new WeakMap<TSchema, TSchema>();

/** A request that leaves a defaulted property out is whole: `required` must not name it. */
function withoutDefaulted(schema: TSchema): TSchema {
  const known = wholeWithout.get(schema);
  if (known) return known;
  const { properties, required } = schema as {
    properties?: Record<string, { default?: unknown }>;
    required?: string[];
  };
  if (!properties || !required) return schema;
  const left = required.filter((name) => properties[name]?.default === undefined);
  if (left.length === required.length) return schema;
  const made = { ...schema, required: left } as TSchema;
  wholeWithout.set(schema, made);
  return made;
}

/** What a request to an endpoint has to be like. */
export const rulesOf = ({ params, query, body, check }: Endpoint): RequestRules => ({
  params,
  query: query && withoutDefaulted(query),
  body: body && withoutDefaulted(body),
  check,
});

const locationHeader = {
  Location: { schema: { type: 'string' }, description: 'Where it is, relative to this address' },
};

/** Relative, so that it is true behind a proxy that adds to paths. */
function locationOf({ path, locatedBy }: Endpoint, answer: unknown): string {
  const key = (answer as Record<string, string | number>)[locatedBy as string];
  return `${path.split('/').at(-1)}/${encodeURIComponent(key as string)}`;
}

/** What Fastify and the OpenAPI document read of an endpoint. */
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
      : { type: 'null', description: 'Done; the answer has no body' };
  return {
    operationId: e.id,
    tags: [e.tag],
    summary: e.summary,
    ...(e.description ? { description: e.description } : {}),
    ...(e.deprecated ? { deprecated: true } : {}),
    ...(e.permission === 'public' ? { security: [] } : {}),
    ...(e.params ? { params: e.params } : {}),
    ...(e.query ? { querystring: withoutDefaulted(e.query) } : {}),
    ...(e.body ? { body: withoutDefaulted(e.body) } : {}),
    response: { [status]: answer },
  };
}

const errorSchema = { $ref: 'Error#' };

/** Why a request is refused that is well-formed, by somebody who is known. */
function refusals({ audience, permission, method }: Endpoint): string | undefined {
  const rule = 'InvalidOperationError: a rule of the domain forbids it';
  if (audience) {
    const kinds = [...audience, 'admin'].join(' or ');
    return `NoAccessError: this is no API token of the kind ${kinds}`;
  }
  if (permission === 'public') return method === 'GET' ? undefined : rule;
  return `NoAccessError: the permission is missing${method === 'GET' ? '' : `; ${rule}`}`;
}

/** For the document alone: errors are written by `sendError`, not by the schema of a route. */
export function otherResponses(e: Endpoint): Record<string, unknown> {
  const responses: Record<string, unknown> = {};
  const say = (status: number | 'default', description: string) => {
    responses[status] = {
      description,
      content: { 'application/json': { schema: errorSchema } },
    };
  };
  if (e.notModified) {
    responses[304] = { type: 'null', description: 'What If-None-Match names is still true' };
  }
  if (e.params || e.query || e.body) {
    const pattern = e.pattern ? `; PatternError: ${e.pattern}` : '';
    say(400, `BadDataError: something in the request is malformed${pattern}`);
  }
  if (e.permission !== 'public') say(401, 'AuthenticationRequired: no valid token or session');
  const refused = refusals(e);
  if (refused) say(403, refused);
  if (e.refusesSecret) say(401, `AuthenticationRequired: ${e.refusesSecret}`);
  if (e.params) say(404, 'NotFoundError: the addressed thing does not exist');
  if (e.conflict) say(409, `NameExistsError: ${e.conflict}`);
  if (e.body) say(413, 'PayloadTooLargeError: the body is too large');
  if (e.body) say(415, 'ContentTypeerror: the body is not application/json');
  if (e.throttled) say(429, 'TooManyRequestsError: try again after Retry-After seconds');
  say(
    'default',
    'InternalError (500), UnavailableError (503), MaintenanceError (503): nothing is wrong with the request',
  );
  return responses;
}

type Answer<E extends Endpoint> = Output<E> | FastifyReply | undefined;

/**
 * Registers an endpoint. The handler gets what was validated and gives back what the contract
 * promises; an endpoint that streams, or whose answer is ready JSON, sends through `reply` itself.
 * One that has its answer at hand may give it without a promise: an async function that returns the
 * reply waits until the last byte of it has left, for nobody.
 */
export function route<E extends Endpoint>(
  app: FastifyInstance,
  e: E,
  handle: (input: Input<E>, context: RequestContext) => Answer<E> | Promise<Answer<E>>,
): void {
  const validate = validation(rulesOf(e));
  const status = e.status ?? 200;
  const finish = (reply: FastifyReply, answer: Answer<E>) => {
    // An async handler that returned the reply gives nothing here, once the last byte has left or the client has.
    if (answer === reply || reply.sent || reply.raw.headersSent) return;
    if (e.locatedBy) reply.header('location', locationOf(e, answer));
    reply.status(status).send(answer);
  };
  app.route({
    method: e.method,
    url: e.path,
    ...(e.bodyLimitBytes !== undefined && { bodyLimit: e.bodyLimitBytes }),
    schema: schemaOf(e),
    config: { endpoint: e },
    // Without promises, of which each request would have one more for every step, and without a hook for what is
    // found before anything else is done.
    handler: (request, reply) => {
      if (!request.isExamined) validate(request);
      const { params, query, body } = request;
      const actor = request.actor as Actor;
      const answer = handle({ params, query, body } as Input<E>, { actor, request, reply });
      if (answer instanceof Promise) {
        answer
          .then((ready) => finish(reply, ready))
          .catch((error) => sendFailure(error, request, reply));
      } else {
        finish(reply, answer);
      }
    },
  });
}
