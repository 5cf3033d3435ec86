import { type Static, type TObject, type TSchema, type TUnsafe, Type } from 'typebox';

/** Kinds of SDK: on servers (`client`) or on users' devices (`frontend`). */
export type Audience = 'client' | 'frontend';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One operation, described once. Validation, serialisation, OpenAPI, the permission check and the page's types all
 * derive from it.
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
  /** Required permission; any one of a list is enough. `none`: every authenticated caller. `public`: everyone. */
  readonly permission: 'none' | 'public' | (string & {}) | readonly string[];
  /** The path parameter that names the scope of the permission. */
  readonly scope?: string;
  /** The path parameter that identifies a resource, if the path does not name its scope. */
  readonly scopeOf?: string;
  /** Set if the scope depends on the body or on stored data: the service checks the permission. */
  readonly demandedByService?: true;
  /** The SDK tokens that may call the endpoint. Admin tokens may call it too. */
  readonly audience?: readonly Audience[];
  /** Set if the endpoint is available in maintenance mode: it changes nothing, or is needed to end maintenance. */
  readonly duringMaintenance?: true;
  /** Whether the change is allowed in an archived scope. Other changes are refused as if the scope did not exist. */
  readonly alsoArchived?: boolean;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Omitted if the response has no body. */
  readonly response?: Response;
  /** Further content types of the response, in addition to JSON, or instead of it if there is no `response`. */
  readonly alsoProduces?: Readonly<Record<string, string>>;
  readonly status?: 200 | 201 | 202 | 204 | 302;
  /** The property of the response that identifies the created resource below this path; sent as Location. */
  readonly locatedBy?: string;
  /** Whether a matching If-None-Match is answered with 304. */
  readonly notModified?: true;
  readonly deprecated?: boolean;
  /** Set if the response grows with the installation: each account gets one at a time. */
  readonly largeResponse?: true;
  /**
   * Set if a property of the response is a secret, also if it is masked for some callers. Such responses are not
   * compressed.
   */
  readonly secretInResponse?: true;
  /** The maximum size of a body, if it differs from 1 MiB. Endpoints that anyone may call accept only what they need. */
  readonly bodyLimitBytes?: number;
  /** When the response is 409: what is taken, or prevents the operation. */
  readonly conflict?: string;
  /** When the response is 409 ConflictError: what was changed meanwhile. */
  readonly outdated?: string;
  /** When a public request is answered with 401: which proof failed. */
  readonly refusesSecret?: string;
  /** Whether attempts are rate-limited: 429 with Retry-After. */
  readonly throttled?: true;
  /**
   * Set for changes of one's own things, which need no permission: each account can make only so many, because the log
   * stores all of them for ever. 503 with Retry-After. Who has the permission of `unlessMay` could write as many events
   * in other ways.
   */
  readonly limitedPerAccount?: true | { readonly unlessMay: string };
  /** Set if a change that needs approval can be proposed instead: `?propose=true`. */
  readonly proposable?: true;
  /** When the response is 400 PatternError: which naming rule was broken. */
  readonly pattern?: string;
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

export type Output<E extends Endpoint> = StaticOf<NonNullable<E['response']>>;

interface HasDefault {
  readonly default: unknown;
}

/** An optional request property with a default value. Handlers always receive a value. */
export const withDefault = <S extends TSchema>(schema: S, value: Static<S>) =>
  Type.Unsafe<Static<S>>({ ...schema, default: value }) as TUnsafe<Static<S>> & HasDefault;

type Defaulted<Properties> = {
  [Name in keyof Properties]: Properties[Name] extends HasDefault ? Name : never;
}[keyof Properties];

type SentAs<Schema> =
  Schema extends TObject<infer Properties>
    ? Omit<Static<Schema>, Defaulted<Properties>> &
        Partial<Pick<Static<Schema>, Defaulted<Properties> & keyof Static<Schema>>>
    : StaticOf<Schema>;

/** A request as a client sends it: properties with defaults are optional. */
export interface Sent<E extends Endpoint> {
  readonly params: SentAs<NonNullable<E['params']>>;
  readonly query: SentAs<NonNullable<E['query']>>;
  readonly body: SentAs<NonNullable<E['body']>>;
}

/** `type: [x, 'null']`, the only form of nullable that the serialiser writes as null. */
export const nullable = <S extends TSchema & { type: string }>(schema: S) =>
  Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, 'null'] });
