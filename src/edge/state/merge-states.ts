import { cover, isSameScope, overlap } from '../hub/scopes.ts';
import { type KnownToken, mostTokens } from '../hub/tokens.ts';
import type { EdgeState, StoredSource } from './state.ts';

/** What an edge knows, with what it knows it from. */
export interface OwnState extends EdgeState {
  /** The tokens that the upstream validated for this process. It knows the others only from the stored state. */
  readonly validated: ReadonlySet<string>;
  /** Tokens that the upstream no longer returned. */
  readonly revoked: ReadonlySet<string>;
  /** The tokens whose content is current at this moment. Clocks of other machines do not matter for these. */
  readonly current: ReadonlySet<string>;
}

/**
 * Merges what an edge knows with what other edges of the same upstream stored: their tokens stay, unless the upstream
 * revoked them, with the content that these need. Of two contents of one token, the fresher one stays. A token that this
 * edge knows only from the stored state stays only if it is still there: another edge may have learned that it is revoked.
 */
export function mergeStates(own: OwnState, stored: EdgeState): EdgeState {
  const { validated, revoked, current } = own;
  const storedHashes = new Set(stored.tokens.map(({ hash }) => hash));
  const known = own.tokens.filter(({ hash }) => validated.has(hash) || storedHashes.has(hash));
  const knownHashes = new Set(known.map(({ hash }) => hash));
  const tokens = [
    ...known,
    ...stored.tokens.filter(({ hash }) => !knownHashes.has(hash) && !revoked.has(hash)),
  ].slice(0, Math.max(mostTokens, known.length));

  const byToken = new Map(stored.sources.map((source) => [source.token, source]));
  for (const source of own.sources) {
    const other = byToken.get(source.token);
    const isOlder = other && isSameScope(source, other) && other.confirmedAt > source.confirmedAt;
    if (!isOlder || current.has(source.token)) byToken.set(source.token, source);
  }
  // The freshest comes first, because each project is served from the first content that has it.
  const isCurrent = ({ token }: StoredSource) => Number(current.has(token));
  const candidates = [...byToken.values()].sort(
    (a, b) => isCurrent(b) - isCurrent(a) || b.confirmedAt - a.confirmedAt,
  );
  const sources: StoredSource[] = [];
  let open: readonly KnownToken[] = tokens;
  for (const source of candidates) {
    if (!open.some((token) => overlap(token, source))) continue;
    sources.push(source);
    open = open.filter((token) => !cover(sources, token));
  }
  const hashes = new Set(tokens.map(({ hash }) => hash));
  const refused = [...new Set([...stored.refused, ...own.refused])].filter(
    (hash) => !hashes.has(hash),
  );
  return { revision: Math.max(own.revision, stored.revision), tokens, refused, sources };
}

const newestOf = ({ sources }: EdgeState): number =>
  Math.max(0, ...sources.map(({ confirmedAt }) => confirmedAt));

/**
 * Merges the last states of several stores, for a start: of each content the fresher one, and all tokens that none of
 * them knows as refused. One of the stores may be old, because it could not be written or was mounted again.
 */
export function mergeStored(states: readonly EdgeState[]): EdgeState | undefined {
  const refused = new Set(states.flatMap((state) => state.refused));
  const [newest, ...others] = [...states]
    .sort((a, b) => newestOf(b) - newestOf(a))
    .map((state) => ({ ...state, tokens: state.tokens.filter(({ hash }) => !refused.has(hash)) }));
  if (!newest) return undefined;
  let merged: EdgeState = newest;
  for (const older of others) {
    const validated = new Set(merged.tokens.map(({ hash }) => hash));
    const own = { ...merged, validated, revoked: refused, current: new Set<string>() };
    merged = mergeStates(own, older);
  }
  return merged;
}
