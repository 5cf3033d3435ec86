import type { Actor, TokenScope } from '../../platform/actor.ts';
import { createCache } from '../../platform/cache.ts';
import { callerOf } from '../../platform/caller-address.ts';
import { createSingleFlight } from '../../platform/single-flight.ts';
import type { Feed, ServedToken } from '../hub/feed.ts';
import { isSameProjects } from '../hub/scopes.ts';
import { hashOf } from '../hub/tokens.ts';

/** A token with what is the same in all its requests. */
export interface TokenIdentity {
  readonly id: number;
  readonly name: string;
  readonly tokenScope: TokenScope;
  readonly isReady: boolean;
  readonly isSecretUnknown: boolean;
  readonly token: ServedToken;
}

/** A secret that is not valid may become valid, and an upstream may come back. Until then, it is asked only this often. */
const askedAgainMs = 10_000;
const mostRefused = 10_000;

/** The id of a token's actor: the same in every process and after a restart. Negative, as for all tokens. */
const idOf = (hash: string): number => -(Number.parseInt(hash.slice(0, 12), 16) + 1);

const isSameScope = (a: TokenScope, b: TokenScope) =>
  a.audience === b.audience &&
  a.environment === b.environment &&
  isSameProjects(a.scopes, b.scopes);

type TokenAnswer = TokenIdentity | 'unsuitable' | undefined;

export interface ServedTokens {
  /** Returns synchronously if the token is known. The others of an address are looked up in turn with other addresses. */
  readonly find: (secret: string, ip: string) => TokenAnswer | Promise<TokenAnswer>;
  readonly byId: (id: number) => TokenIdentity | undefined;
  readonly list: () => readonly TokenIdentity[];
  readonly onChange: (callback: () => void) => void;
}

/** The tokens that this process serves, as the hub last told them. */
export function createServedTokens(feed: Pick<Feed, 'find'>): ServedTokens & {
  readonly take: (tokens: readonly ServedToken[]) => void;
} {
  let byHash = new Map<string, TokenIdentity>();
  let byId = new Map<number, TokenIdentity>();
  const refused = createCache<string, { untilMs: number; answer: 'unsuitable' | undefined }>({
    maxEntries: mostRefused,
  });
  const callbacks: (() => void)[] = [];
  const presented = new Set<string>();

  function identityOf(token: ServedToken): TokenIdentity {
    const { hash, audience, environment, projects, isReady, isSecretUnknown } = token;
    const before = byHash.get(hash)?.tokenScope;
    const fresh: TokenScope = { audience, environment, scopes: projects };
    return {
      id: idOf(hash),
      name: `token ${hash.slice(0, 8)}`,
      // The same object while it is the same scope: views are cached by it.
      tokenScope: before && isSameScope(before, fresh) ? before : fresh,
      ...{ isReady, isSecretUnknown, token },
    };
  }

  function take(tokens: readonly ServedToken[]): void {
    const fresh = tokens.map(identityOf);
    byHash = new Map(fresh.map((identity) => [identity.token.hash, identity]));
    byId = new Map(fresh.map((identity) => [identity.id, identity]));
    for (const callback of callbacks) callback();
  }

  const asking = createSingleFlight<string, TokenAnswer>();

  async function ask(secret: string, hash: string, ip: string): Promise<TokenAnswer> {
    const { served, unsuitable } = await feed.find([secret], callerOf(ip));
    const token = served.find((each) => each.hash === hash);
    if (token) return byHash.get(hash) ?? identityOf(token);
    const answer = unsuitable.includes(hash) ? 'unsuitable' : undefined;
    refused.set(hash, { untilMs: performance.now() + askedAgainMs, answer });
    return answer;
  }

  /** The hub validates a token of its last state as soon as it knows the secret. Nobody waits for that. */
  function present(secret: string, hash: string, ip: string): void {
    if (presented.has(hash)) return;
    presented.add(hash);
    const end = () => void setTimeout(() => presented.delete(hash), askedAgainMs).unref();
    // It is also answered if the upstream was away: the token is served all the same.
    feed.find([secret], callerOf(ip)).then(end, end);
  }

  return {
    take,
    find(secret, ip) {
      const hash = hashOf(secret);
      const known = byHash.get(hash);
      if (known) {
        if (known.isSecretUnknown) present(secret, hash, ip);
        return known;
      }
      const before = refused.get(hash);
      if (before && before.untilMs > performance.now()) return before.answer;
      return asking.join(hash, () => ask(secret, hash, ip));
    },
    byId: (id) => byId.get(id),
    list: () => [...byHash.values()],
    onChange: (callback) => void callbacks.push(callback),
  };
}

/** No token of an SDK has a permission, and none sees anything else. */
const nothing = { may: () => false, sees: new Set<string>() } as const;

export const actorOf = (
  { id, name, tokenScope }: TokenIdentity,
  { ip, requestId }: Pick<Actor, 'ip' | 'requestId'>,
): Actor => ({ id, name, kind: 'token', ...nothing, tokenScope, ip, requestId });
