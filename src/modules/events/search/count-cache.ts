import { type Cache, createCache } from '../../../platform/cache.ts';
import type { Filter } from './filter.ts';
import type { LogState } from './range.ts';

/** The hits of a filter up to an id. Events never change, so that it stays valid. */
export interface CachedCount {
  readonly upTo: number;
  /** Where the log started. */
  readonly anchor: number;
  readonly count: number;
  /** The ids of all hits, ascending, if they are few enough to cache. */
  readonly ids: readonly number[] | undefined;
  /** The number of erasures. If it has changed, the log was rewritten since. */
  readonly rewrites: number;
}

/**
 * The part that is still valid in a later state of the log. Undefined if the log was rewritten, or if the name of a
 * project was used again since, whose former events are no longer visible. If retention removed the oldest events, the
 * other ids stay valid, but a count without ids has to be made again.
 */
export function revalidateCount(
  cached: CachedCount,
  { currentProjectsOnly }: Filter,
  now: LogState,
): CachedCount | undefined {
  if (cached.rewrites !== now.rewrites || (currentProjectsOnly && now.recreated > cached.upTo))
    return undefined;
  if (cached.anchor === now.anchor) return cached;
  const ids = cached.ids?.filter((id) => id > now.anchor);
  return ids && { ...cached, anchor: now.anchor, ids, count: ids.length };
}

const maxEntries = 5_000;
/** In ids. */
const maxCost = 2_000_000;

/** The cached counts of filters, keyed by their JSON. */
export const createCountCache = <Value extends {}>(
  costOf: (value: Value) => number,
): Cache<string, Value> => createCache({ maxEntries, maxCost, costOf });
