import type { Audience } from './contract/endpoint.ts';

/** What a token has access to. */
export interface TokenScope {
  readonly audience: Audience | 'admin';
  /** Null for the environment that the request names. */
  readonly environment: string | null;
  readonly scopes: 'all' | readonly string[];
}

/** A valid request, as its handler receives it. */
export interface ActingRequest {
  /** The id of the endpoint. */
  readonly id: string;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** The caller, created once per request or job and part of the transaction. */
export interface Actor {
  /** Positive for users; negative and stable for tokens and the system. */
  readonly id: number;
  readonly name: string;
  readonly kind: 'person' | 'service account' | 'token' | 'system';
  /** The session of a signed-in user, if the request carried its cookie. */
  readonly session?: string;
  /** When the request's personal access token expires, if it does. */
  readonly tokenEndsAt?: Date;
  /** Set for API tokens. */
  readonly tokenScope?: TokenScope;
  readonly ip: string | null;
  readonly requestId: string | null;
  /** The resource that a changing request addresses. Changes of one resource take turns (`turns.ts`). */
  readonly resource?: string;
  /** The request that the actor makes, if it is one that changes something. */
  readonly request?: ActingRequest;
  /**
   * Set if the actor lacks the permission for the request and wants to propose the change: everything is checked as if
   * they had it, and nothing is committed.
   */
  readonly onlyProposes?: {
    /** Why the change itself is refused. */
    readonly refusal: Error;
    /** The actor with their own permissions. */
    readonly as: Actor;
  };
  /**
   * Whether the actor has a permission, in a scope (a part of the installation) if one is given. Every caller that may
   * use the API has the permission `none`.
   */
  readonly may: (permission: string, scope?: string, environment?: string) => boolean;
  /** The scopes that the actor may see: all, or a set. */
  readonly sees: 'all' | ReadonlySet<string>;
}
