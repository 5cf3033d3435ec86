import type { Logger } from '../../platform/log.ts';
import type { StoredSource } from '../state/state.ts';
import type { SourceContent } from '../upstream/content.ts';
import type { Upstream } from '../upstream/requests.ts';
import { followSource, type Source, type SourceMode } from '../upstream/source.ts';
import type { ScopedContent } from './merge.ts';
import { chooseCovering, cover, coverageOf, isSameScope, type Scope } from './scopes.ts';
import type { KnownToken } from './tokens.ts';

interface Stored {
  readonly content: SourceContent;
  readonly confirmedMs: number;
  /** Whether it is of a bootstrap file: it only fills gaps, until the first fetch. */
  readonly isFromFile: boolean;
}

/** The content of one token: followed at the upstream, or as it was when its token was last known. */
interface Followed extends Scope {
  readonly token: string;
  source: Source | undefined;
  /** The content before there was a source. */
  stored: Stored | undefined;
  changed: number;
}

const unread = { source: undefined, stored: undefined, changed: 0 } as const;

interface SourcesOptions {
  readonly upstream: Pick<Upstream, 'get' | 'open'> | undefined;
  readonly refreshMs: number;
  readonly requestTimeoutMs: number;
  readonly streaming: boolean;
  readonly delta: boolean;
  readonly secretOf: (hash: string) => string | undefined;
  readonly log: Logger;
  readonly onChange: () => void;
  readonly onRefused: () => void;
  /** The upstream could be read before and cannot be read now, or the other way round. */
  readonly onTurn: () => void;
}

export interface SourceState extends Scope {
  readonly token: string;
  readonly mode: SourceMode | 'stored';
  readonly content: SourceContent | undefined;
  readonly confirmedMs: number | undefined;
  readonly isFailing: boolean;
  readonly isFromFile: boolean;
}

/** The contents of all tokens: which are followed, and what they are. */
export function createSources(options: SourcesOptions) {
  const { upstream, secretOf, log, onChange, onRefused, onTurn, ...how } = options;
  const followed = new Map<string, Followed>();
  let changes = 0;

  const contentOf = ({ source, stored }: Followed) => source?.content() ?? stored?.content;
  const confirmedOf = ({ source, stored }: Followed) =>
    source?.confirmedMs() ?? stored?.confirmedMs;
  const isFromFile = (entry: Followed) =>
    entry.stored?.isFromFile === true && contentOf(entry) === entry.stored.content;

  /** What stays of an entry without its source. */
  const storedOf = (entry: Followed): Stored | undefined => {
    const content = contentOf(entry);
    const confirmedMs = confirmedOf(entry) ?? performance.now();
    return content && { content, confirmedMs, isFromFile: isFromFile(entry) };
  };

  function begin(entry: Followed, secret: string): void {
    if (!upstream || entry.source) return;
    const { environment, projects } = entry;
    entry.source = followSource({
      ...{ upstream, token: secret, ...how, onRefused, onTurn },
      before: entry.stored,
      log: log.child({ environment, projects: projects === 'all' ? '*' : projects.join(' ') }),
      onChange: () => {
        changes += 1;
        entry.changed = changes;
        dropCovered();
        onChange();
      },
    });
  }

  /**
   * A token whose scope changed keeps what it may still see, until the rest was read. The old content stays beside it,
   * because other tokens may be served from it.
   */
  function rescoped(before: Followed, scope: Scope): Followed {
    const { token, changed } = before;
    const stored = storedOf(before);
    before.source?.stop();
    const old = `${token} ${JSON.stringify([before.environment, before.projects])}`;
    followed.set(old, { ...before, token: old, source: undefined, stored });
    const kept = cover([before], scope) ? stored : undefined;
    return { ...scope, token, source: undefined, stored: kept, changed };
  }

  let wanted = new Set<string>();
  let served: readonly Scope[] = [];

  /** Drops what is no longer wanted once what is wanted has the features of all tokens. */
  function dropCovered(): void {
    const loaded = coverageOf(
      [...followed.values()].filter(
        (entry) => wanted.has(entry.token) && contentOf(entry) && !isFromFile(entry),
      ),
    );
    for (const entry of followed.values()) {
      if (wanted.has(entry.token)) continue;
      const isNeeded = served.some(
        (token) => token.environment === entry.environment && !loaded.contains(token),
      );
      if (isNeeded && contentOf(entry)) continue;
      entry.source?.stop();
      followed.delete(entry.token);
    }
  }

  return {
    /** Follows what these tokens need. The content of others stays for as long as nothing replaces it. */
    follow(tokens: readonly KnownToken[]): void {
      served = tokens;
      // A token whose secret is unknown since a restart reads nothing: it must not replace others.
      const able = tokens.filter(
        ({ hash, audience }) => audience !== 'frontend' && secretOf(hash) !== undefined,
      );
      // What is followed already comes first, so that equal tokens do not replace each other.
      const [old, fresh] = [
        able.filter(({ hash }) => followed.has(hash)),
        able.filter(({ hash }) => !followed.has(hash)),
      ];
      const chosen = chooseCovering([...old, ...fresh]);
      wanted = new Set(chosen.map(({ hash }) => hash));
      for (const { hash, environment, projects } of chosen) {
        const before = followed.get(hash);
        const scope = { environment, projects };
        let entry: Followed = before ?? { ...scope, token: hash, ...unread };
        if (!isSameScope(entry, scope)) entry = rescoped(entry, scope);
        followed.set(hash, entry);
        const secret = secretOf(hash);
        if (secret !== undefined) begin(entry, secret);
      }
      const known = new Map(tokens.map((token) => [token.hash, token]));
      for (const [hash, entry] of followed) {
        if (wanted.has(hash) || !entry.source) continue;
        // A revoked token is not used any more, not even to read. With another scope it reads something else.
        const token = known.get(hash);
        if (token && isSameScope(token, entry)) continue;
        const stored = storedOf(entry);
        entry.source.stop();
        entry.source = undefined;
        entry.stored = stored;
      }
      dropCovered();
    },

    /** Adds content of the last state, the freshest first, or of a bootstrap file. */
    restore(sources: readonly StoredSource[], nowMs: number, from: 'state' | 'file'): void {
      const before = changes;
      changes += sources.length;
      for (const [at, source] of sources.entries()) {
        const { token, environment, projects, content, confirmedAt } = source;
        // The wall clock may have been set since; an age is never negative.
        const confirmedMs = performance.now() - Math.max(0, nowMs - confirmedAt);
        const stored = { content, confirmedMs, isFromFile: from === 'file' };
        followed.set(token, {
          environment,
          projects,
          token,
          source: undefined,
          stored,
          changed: before + sources.length - at,
        });
      }
    },

    contents: (): ScopedContent[] =>
      [...followed.values()].flatMap((entry) => {
        const content = contentOf(entry);
        const { environment, projects, changed } = entry;
        const isFollowed = wanted.has(entry.token) && !isFromFile(entry);
        return content ? [{ environment, projects, content, isFollowed, changed }] : [];
      }),

    states: (): SourceState[] =>
      [...followed.values()].map((entry) => ({
        environment: entry.environment,
        projects: entry.projects,
        token: entry.token,
        mode: entry.source?.mode() ?? 'stored',
        content: contentOf(entry),
        confirmedMs: confirmedOf(entry),
        isFromFile: isFromFile(entry),
        isFailing: entry.source ? !entry.source.isCurrent() : upstream !== undefined,
      })),

    /** Resolves after every source that contains the scope was tried. */
    tried: async ({ environment }: Scope): Promise<void> => {
      await Promise.all(
        [...followed.values()]
          .filter((entry) => entry.environment === environment)
          .map(({ source }) => source?.tried),
      );
    },

    stop(): void {
      for (const { source } of followed.values()) source?.stop();
    },
  };
}
