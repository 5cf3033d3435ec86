import type { Batch } from '../../modules/sdk/client-metrics/report/buffer.ts';
import { type Change, changesBetween, type Snapshot } from '../../modules/sdk/snapshot/index.ts';
import type {
  Freshness,
  ServedToken,
  ServingReport,
  TokenLookup,
  UsageState,
} from '../hub/feed.ts';

/** A later snapshot, as the differences from the one before. */
export interface SnapshotUpdate {
  readonly revision: number;
  readonly environments: readonly { readonly name: string; readonly type: string }[];
  readonly changes: readonly Change[];
}

/** From the process that talks to the upstream. */
export type ToWorker =
  | { readonly kind: 'snapshot'; readonly update: SnapshotUpdate }
  | { readonly kind: 'tokens'; readonly tokens: readonly ServedToken[] }
  | { readonly kind: 'freshness'; readonly freshness: Freshness }
  | { readonly kind: 'usage'; readonly usage: UsageState }
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly value?: TokenLookup | string | undefined;
      /** The message of the 503 for the caller. */
      readonly refusal?: string;
    };

/** From a process that serves SDKs. */
export type ToPrimary =
  | { readonly kind: 'follow' }
  | { readonly kind: 'report'; readonly report: ServingReport }
  | {
      readonly kind: 'find';
      readonly id: number;
      readonly secrets: readonly string[];
      readonly address: string;
    }
  | { readonly kind: 'store'; readonly id: number; readonly batch: Batch }
  | { readonly kind: 'metrics'; readonly id: number };

export const updateBetween = (before: Snapshot, after: Snapshot): SnapshotUpdate => ({
  revision: after.revision,
  environments: [...after.environments.values()].map(({ name, type }) => ({ name, type })),
  changes: [...changesBetween(before, after)],
});

const sortedByKey = <Value>(entries: ReadonlyMap<string, Value>): Map<string, Value> =>
  new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

/** Applies an update. Unchanged parts are the same values as before. */
export function updated(
  before: Snapshot,
  { revision, environments, changes }: SnapshotUpdate,
): Snapshot {
  const segments = new Map(before.segments);
  for (const change of changes) {
    if (change.kind !== 'segment') continue;
    if (change.after) segments.set(change.after.id, change.after);
    else if (change.before) segments.delete(change.before.id);
  }
  const found = environments.map(({ name, type }) => {
    const old = before.environments.get(name);
    const own = changes.flatMap((change) =>
      change.kind === 'feature' && change.environment === name ? [change] : [],
    );
    if (old && own.length === 0) return [name, old] as const;
    const features = new Map(old?.features);
    for (const { key, after } of own) {
      if (after) features.set(key, after);
      else features.delete(key);
    }
    return [name, { name, type, features: sortedByKey(features) }] as const;
  });
  const isSameSegments = changes.every(({ kind }) => kind !== 'segment');
  return {
    revision,
    environments: new Map(found),
    segments: isSameSegments ? before.segments : segments,
  };
}
