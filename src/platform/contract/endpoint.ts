import { type Static, type TObject, type TSchema, type TUnsafe, Type } from 'typebox';

/** Programs that evaluate: on servers, or in the hands of their users. */
export type Audience = 'client' | 'frontend';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

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

/** A property that may be left out, and then has this value. Required for whoever reads it. */
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

/** What a caller sends: what has a default may be left out. */
export interface Sent<E extends Endpoint> {
  readonly params: SentAs<NonNullable<E['params']>>;
  readonly query: SentAs<NonNullable<E['query']>>;
  readonly body: SentAs<NonNullable<E['body']>>;
}

/** `type: [x, 'null']`: the only spelling of nullable that the serialiser sends as null. */
export const nullable = <S extends TSchema & { type: string }>(schema: S) =>
  Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, 'null'] });
