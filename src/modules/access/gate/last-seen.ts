import type { Database } from '../../../platform/db/database.ts';

type Kind = Database['last_seen']['kind'];

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
