import { createHash } from 'node:crypto';
import { type Cache, createCache } from '../../../platform/cache.ts';
import type { LogState } from '../log-state.ts';
import type { Filter } from './filter.ts';
import type { Span } from './range.ts';

/** Where one way of searching becomes better than another. */
export interface Thresholds {
  /** Planning a scan for each of more values takes longer than the scans. */
  readonly maxBranches: number;
  /** Up to this number the ids of hits are cached, and each page costs only itself. */
  readonly maxCachedIds: number;
  /** Up to this number of hits a text is rare. Its hits are looked up first, and columns are compared only for them. */
  readonly maxRareHits: number;
  /** After this offset a page is so expensive that it waits for its turn. */
  readonly deepOffset: number;
  /** Up to this number of texts a scan is fast enough that a sample does not pay off. */
  readonly maxScanned: number;
}

/** The hits of a filter up to an id. Events never change, so it stays valid. */
export interface Total {
  readonly upTo: number;
  /** Where the log started, and how often it had been rewritten. */
  readonly anchor: number;
  readonly rewrites: number;
  /** The first event of the project whose name was used again last. 0 if there was none. */
  readonly recreated: number;
  readonly count: number;
  /** The ids of all hits, ascending, if they were collected and are few enough to cache. */
  readonly ids?: readonly number[] | undefined;
  /** Between which ids the hits with a range of time were, when they were collected. */
  readonly span?: Span;
}

/** What has happened to the log since a total was counted. */
interface LogChange extends LogState {
  /** How many hits came later. */
  readonly added: number;
  /** Their ids, ascending, if the total has ids. */
  readonly addedIds: readonly number[] | null;
}

/**
 * The total in a later state of the log. Undefined if it has to be counted again: the log was rewritten, the name of a
 * project was used again, whose former events are hidden now, or retention removed events that were only counted.
 */
export function advance(
  total: Total,
  { currentProjectsOnly }: Filter,
  { anchor, head, rewrites, recreated, added, addedIds }: LogChange,
  maxCachedIds: number,
): Total | undefined {
  if (rewrites !== total.rewrites || (currentProjectsOnly && recreated > total.upTo))
    return undefined;
  if (anchor === total.anchor && added === 0) {
    return head === total.upTo ? total : { ...total, upTo: head };
  }
  if (!total.ids || !addedIds) {
    return anchor === total.anchor
      ? { ...total, upTo: head, count: total.count + added }
      : undefined;
  }
  const ids = [...total.ids.filter((id) => id > anchor), ...addedIds];
  if (ids.length <= maxCachedIds) return { ...total, anchor, upTo: head, count: ids.length, ids };
  // More may have come than were read.
  return undefined;
}

/** The filter as a short text of fixed length: a reader may see thousands of projects. */
export const keyOf = (filter: Filter): string =>
  createHash('sha256').update(JSON.stringify(filter)).digest('base64');

const maxEntries = 5_000;
const maxIds = 2_000_000;

export const createTotals = (): Cache<string, Total> =>
  createCache({ maxEntries, maxCost: maxIds, costOf: ({ ids }) => ids?.length ?? 0 });
