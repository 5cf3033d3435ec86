import type { Filter } from './filter.ts';
import type { LogState } from './range.ts';

/** What is known of a filter up to an id. Events are never changed, so it stays true. */
export interface Known {
  readonly upTo: number;
  /** Where the log began. */
  readonly anchor: number;
  readonly count: number;
  /** The ids of all hits, ascending, while they are few enough to keep. */
  readonly ids: readonly number[] | undefined;
  /** History was lawfully rewritten, by an erasure, since this was learnt when it differs. */
  readonly rewrites: number;
}

/**
 * What of it holds in a later state of the log; undefined where history was rewritten, or a project took the name of
 * another since, whose events would no longer be seen. Where retention removed the oldest events the others are still
 * the hits, if it is known which they are: a bare count has to be made anew.
 */
export function stillKnown(
  known: Known,
  { currentProjectsOnly }: Filter,
  now: LogState,
): Known | undefined {
  if (known.rewrites !== now.rewrites || (currentProjectsOnly && now.recreated > known.upTo))
    return undefined;
  if (known.anchor === now.anchor) return known;
  const ids = known.ids?.filter((id) => id > now.anchor);
  return ids && { ...known, anchor: now.anchor, ids, count: ids.length };
}

export interface Memory<Value> {
  readonly get: (key: string) => Value | undefined;
  readonly set: (key: string, value: Value) => void;
  readonly forget: (key: string) => void;
}

const maxEntries = 5_000;
const maxSize = 2_000_000;

/** A bounded memory of totals; the least recently used is forgotten first. */
export function createMemory<Value>(sizeOf: (value: Value) => number): Memory<Value> {
  const entries = new Map<string, Value>();
  let size = 0;
  const drop = (key: string) => {
    const value = entries.get(key);
    if (value !== undefined) size -= sizeOf(value);
    entries.delete(key);
  };
  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) {
        entries.delete(key);
        entries.set(key, value);
      }
      return value;
    },
    forget: drop,
    set(key, value) {
      drop(key);
      entries.set(key, value);
      size += sizeOf(value);
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && size <= maxSize) break;
        drop(oldest);
      }
    },
  };
}
