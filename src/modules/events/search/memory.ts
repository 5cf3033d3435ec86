import type { Filter } from '../filter.ts';
import type { LogState } from './log.ts';

/** What is known of a filter up to an id. Events are never changed, so it stays true. */
export interface Known {
  readonly upTo: number;
  /** Where the log began. */
  readonly anchor: number;
  readonly count: number;
  /** The ids of all hits, ascending, while they are few enough to keep. */
  readonly ids: readonly number[] | undefined;
  /** History was lawfully rewritten (erasure, retention) since this was learnt when it differs. */
  readonly rewrites: number;
}

/**
 * Whether what is known holds in a later state of the log: history was not rewritten, and no project took the name of
 * another since, whose events would no longer be seen.
 */
export const stillHolds = (known: Known, { ownOnly }: Filter, now: LogState): boolean =>
  known.rewrites === now.rewrites && !(ownOnly && now.recreated > known.upTo);

export interface Memory {
  readonly get: (key: string) => Known | undefined;
  readonly set: (key: string, known: Known) => void;
  readonly forget: (key: string) => void;
}

const maxEntries = 5_000;
const maxAllIds = 2_000_000;

/** A bounded memory of totals; the least recently used is forgotten first. */
export function createMemory(): Memory {
  const entries = new Map<string, Known>();
  let allIds = 0;
  const drop = (key: string) => {
    allIds -= entries.get(key)?.ids?.length ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const known = entries.get(key);
      if (known) {
        entries.delete(key);
        entries.set(key, known);
      }
      return known;
    },
    forget: drop,
    set(key, known) {
      drop(key);
      entries.set(key, known);
      allIds += known.ids?.length ?? 0;
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && allIds <= maxAllIds) break;
        drop(oldest);
      }
    },
  };
}
