import {
  createPublished,
  type Definitions,
  type Snapshot,
} from '../../modules/sdk/snapshot/index.ts';
import type { Freshness } from '../hub/feed.ts';
import { emptySnapshot } from '../hub/merge.ts';

/** The definitions that the hub tells. A snapshot is complete before it is published, so that nobody waits for one. */
export function createFedDefinitions(): Definitions & {
  readonly publish: (snapshot: Snapshot) => void;
  readonly takeFreshness: (freshness: Freshness) => void;
} {
  const published = createPublished();
  let { confirmedAt, isStale }: Freshness = { confirmedAt: undefined, isStale: false };
  /** When that was told, because the wall clock may be set. */
  let ageMs = 0;
  let toldMs = 0;
  return {
    publish: published.publish,
    takeFreshness(fresh) {
      ({ confirmedAt, isStale } = fresh);
      toldMs = performance.now();
      ageMs = confirmedAt === undefined ? 0 : Math.max(0, Date.now() - confirmedAt);
    },
    current: () => published.latest() ?? emptySnapshot,
    changesBehind: published.changesBehind,
    ageSeconds: () =>
      confirmedAt === undefined ? undefined : (ageMs + performance.now() - toldMs) / 1000,
    isStale: () => isStale,
    follow: published.follow,
  };
}
