import { type Cache, createCache } from '../../../platform/cache.ts';
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

const maxEntries = 5_000;
/** In ids. */
const maxCost = 2_000_000;

/** What is known of filters, by their JSON. */
export const createTotals = <Value extends {}>(
  costOf: (value: Value) => number,
): Cache<string, Value> => createCache({ maxEntries, maxCost, costOf });
