import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

type Kind = 'account' | 'personal token' | 'api token';

export interface Sighting {
  readonly kind: Kind;
  readonly id: number;
  readonly at: Date;
}

export interface LastSeen {
  readonly see: (kind: Kind, id: number, at: Date) => void;
  /** What was seen since the last time, each account and token once. */
  readonly take: () => Sighting[];
}

/** Who came by, kept in memory and written together: a request costs an entry in a map. */
export function createLastSeen(): LastSeen {
  let seen = new Map<string, Sighting>();
  return {
    see: (kind, id, at) => void seen.set(`${kind} ${id}`, { kind, id, at }),
    take: () => {
      const taken = [...seen.values()];
      seen = new Map();
      return taken;
    },
  };
}

/** In one order, so that instances that write at once do not wait for each other in a circle. */
export async function upsertSeen(tx: Tx, sightings: readonly Sighting[]): Promise<void> {
  if (sightings.length === 0) return;
  const sorted = [...sightings].sort((a, b) => a.kind.localeCompare(b.kind) || a.id - b.id);
  await tx.db
    .insertInto('last_seen')
    .values(sorted.map(({ kind, id, at }) => ({ kind, id, seen_at: at })))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'id']).doUpdateSet({
        seen_at: sql`greatest(last_seen.seen_at, excluded.seen_at)`,
      }),
    )
    .execute();
}
