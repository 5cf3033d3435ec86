import { AppError, unavailable } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { ConfiguredToken } from '../settings.ts';
import type { EdgeState } from '../state/state.ts';
import type { Upstream } from '../upstream/requests.ts';
import { createLookups } from './lookups.ts';
import {
  hashOf,
  type KnownToken,
  mostTokens,
  partsOf,
  type Validated,
  validateTokens,
} from './tokens.ts';

/** Hashes of tokens that no edge serves. */
const mostUnsuitable = 1_000;

export interface TokenRegistry {
  readonly list: () => readonly KnownToken[];
  readonly findKnown: (hash: string) => KnownToken | undefined;
  /** Undefined since a restart, until a client sends it. */
  readonly secretOf: (hash: string) => string | undefined;
  /** Whether it is configured, or a client has sent it since the start. */
  readonly isUsed: (hash: string) => boolean;
  /** The tokens that the upstream validated since the start. */
  readonly validated: () => ReadonlySet<string>;
  /** Tokens that were known or configured until the upstream no longer returned them. */
  readonly revoked: () => ReadonlySet<string>;
  /** Those, and those of the last state. */
  readonly refused: () => readonly string[];
  /** Adds tokens of the last state, which is older than what the upstream says. */
  readonly restore: (state: Pick<EdgeState, 'tokens' | 'refused'>) => void;
  /** Trusts configured tokens as they are written, for a start from a bootstrap file without the upstream. */
  readonly trustConfigured: () => void;
  /**
   * Asks the upstream about all tokens whose secrets are known, the configured ones included. Those that it does not
   * return are revoked. Rejects if the upstream is away; then nothing changes.
   */
  readonly revalidate: () => Promise<void>;
  /**
   * Looks up secrets that clients of an address sent. Returns the hashes of valid ones that no edge serves. Throws 503
   * if the upstream has to know and is away.
   */
  readonly find: (secrets: readonly string[], address: string) => Promise<readonly string[]>;
}

interface RegistryOptions {
  readonly upstream: Pick<Upstream, 'post'> | undefined;
  readonly mode: 'strict' | 'dynamic' | 'offline';
  readonly configured: readonly ConfiguredToken[];
  readonly log: Logger;
  /** Tokens were added, changed, or revoked, or a secret became known. */
  readonly onChange: () => void;
  /** A client sent a token of the last state for the first time. */
  readonly onUse: () => void;
}

export function createTokenRegistry(options: RegistryOptions): TokenRegistry {
  const { upstream, mode, configured, log, onChange, onUse } = options;
  const tokens = new Map<string, KnownToken>();
  const secrets = new Map<string, string>();
  const configuredByHash = new Map(configured.map((each) => [hashOf(each.secret), each]));
  for (const [hash, { secret }] of configuredByHash) secrets.set(hash, secret);
  const validated = new Set<string>();
  const revoked = new Set<string>();
  const refusedBefore = new Set<string>();
  const sentByClients = new Set<string>();
  let unsuitable = new Set<string>();

  const isSame = (a: KnownToken | undefined, b: KnownToken) =>
    JSON.stringify(a) === JSON.stringify(b);

  /** Applies what the upstream answered with 200. Returns whether it changed anything. */
  function apply({ served, invalid, unsuitable: others }: Validated): boolean {
    let isChanged = false;
    for (const token of served) {
      validated.add(token.hash);
      revoked.delete(token.hash);
      refusedBefore.delete(token.hash);
      if (isSame(tokens.get(token.hash), token)) continue;
      if (!tokens.has(token.hash) && tokens.size >= mostTokens) {
        log.error({ most: mostTokens }, 'too many tokens: a valid one is not served');
        continue;
      }
      tokens.set(token.hash, token);
      isChanged = true;
    }
    for (const hash of [...invalid, ...others]) {
      if (!configuredByHash.has(hash)) secrets.delete(hash);
      validated.delete(hash);
      sentByClients.delete(hash);
      const wasKnown = tokens.delete(hash);
      // A configured one may come from a bootstrap file at the next start.
      if (revoked.has(hash) || !(wasKnown || configuredByHash.has(hash))) continue;
      isChanged = true;
      revoked.add(hash);
      if (revoked.size > mostTokens) revoked.delete(revoked.values().next().value as string);
      if (!wasKnown) continue;
      log.warn({ tokenHash: hash.slice(0, 8) }, 'a token is no longer valid: it is refused');
    }
    for (const hash of others) {
      if (configuredByHash.has(hash) && !unsuitable.has(hash)) {
        log.error(
          { tokenHash: hash.slice(0, 8) },
          'a configured token is neither a backend nor a frontend token: it is not served',
        );
      }
    }
    unsuitable = new Set([...unsuitable, ...others].slice(-mostUnsuitable));
    return isChanged;
  }

  async function ask(some: readonly string[]): Promise<void> {
    if (!upstream || some.length === 0) return;
    const answer = await validateTokens(upstream, some);
    const valid = new Set(answer.served.map(({ hash }) => hash));
    let isLearned = false;
    for (const secret of some) {
      const hash = hashOf(secret);
      if (secrets.has(hash) || !valid.has(hash)) continue;
      secrets.set(hash, secret);
      isLearned = true;
    }
    if (apply(answer) || isLearned) onChange();
  }

  const lookups = createLookups(ask);

  return {
    list: () => [...tokens.values()],
    findKnown: (hash) => tokens.get(hash),
    secretOf: (hash) => secrets.get(hash),
    isUsed: (hash) => secrets.has(hash) || sentByClients.has(hash),
    validated: () => validated,
    revoked: () => revoked,
    refused: () => [...new Set([...refusedBefore, ...revoked])],
    restore(state) {
      for (const hash of state.refused) refusedBefore.add(hash);
      for (const token of state.tokens) {
        const isServed = mode === 'dynamic' || configuredByHash.has(token.hash);
        if (isServed && !tokens.has(token.hash)) tokens.set(token.hash, token);
      }
    },
    trustConfigured() {
      for (const [hash, { secret, kind }] of configuredByHash) {
        const parts = partsOf(secret);
        if (tokens.has(hash) || refusedBefore.has(hash) || !parts) continue;
        const { project, environment } = parts;
        // A token of several projects does not name them, and one of all environments is of no SDK: the upstream knows.
        // Offline there is none: a token of several projects has the whole file.
        if (mode !== 'offline' && (project === undefined || environment === '*')) continue;
        tokens.set(hash, {
          ...{ hash, environment, isValidated: false, audience: kind ?? 'admin' },
          projects: project === undefined || project === '*' ? 'all' : [project],
        });
      }
      onChange();
    },
    async revalidate() {
      await ask([...secrets.values()]);
    },
    async find(sent, address) {
      const newlyUsed = sent
        .map(hashOf)
        .filter((hash) => tokens.has(hash) && !secrets.has(hash) && !sentByClients.has(hash));
      for (const hash of newlyUsed) sentByClients.add(hash);
      if (newlyUsed.length > 0) onUse();
      const open = sent.filter((secret) => {
        const hash = hashOf(secret);
        const isKnown = tokens.has(hash) && secrets.has(hash);
        return !isKnown && partsOf(secret) !== undefined;
      });
      // Strict: only configured tokens are asked about; all others are not valid here.
      const asked = open.filter(
        (secret) =>
          mode === 'dynamic' || (mode === 'strict' && configuredByHash.has(hashOf(secret))),
      );
      const outcomes = await Promise.allSettled(
        asked.map((secret) => lookups.ask(secret, address)),
      );
      for (const [index, outcome] of outcomes.entries()) {
        // A token of the last state is served without an answer.
        if (outcome.status === 'fulfilled' || tokens.has(hashOf(asked[index] as string))) continue;
        const { reason } = outcome;
        if (reason instanceof AppError) throw reason;
        throw unavailable('The token cannot be validated: the upstream is unavailable', 5, reason);
      }
      return sent.map(hashOf).filter((hash) => unsuitable.has(hash));
    },
  };
}
