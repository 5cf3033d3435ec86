import type { Database } from '../../../platform/db/database.ts';

type Kind = Database['last_seen']['kind'];

export interface LastUse {
  readonly kind: Kind;
  readonly id: number;
  readonly at: Date;
}

export interface LastSeen {
  readonly see: (kind: Kind, id: number, at: Date) => void;
  /** Each account and token once, since the last call. */
  readonly take: () => LastUse[];
}

/** Collects in memory who was seen, to write it in batches: a request costs one entry of a map. */
export function createLastSeen(): LastSeen {
  let seen = new Map<string, LastUse>();
  return {
    see: (kind, id, at) => void seen.set(`${kind} ${id}`, { kind, id, at }),
    take: () => {
      const taken = [...seen.values()];
      seen = new Map();
      return taken;
    },
  };
}
