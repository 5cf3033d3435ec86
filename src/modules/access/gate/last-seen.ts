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
  /** The last use on this instance that may not be stored yet. */
  readonly find: (kind: Kind, id: number) => Date | undefined;
}

declare module '../../../platform/module.ts' {
  interface Services {
    /** The last use of an account or token on this instance that may not be stored yet. */
    readonly findLastUse: LastSeen['find'];
  }
}

const keyOf = (kind: Kind, id: number) => `${kind} ${id}`;

/** Collects in memory who was seen, to write it in batches: a request costs one entry of a map. */
export function createLastSeen(): LastSeen {
  let seen = new Map<string, LastUse>();
  /** What was taken last, because it may not be stored yet. */
  let taken = new Map<string, LastUse>();
  return {
    see: (kind, id, at) => void seen.set(keyOf(kind, id), { kind, id, at }),
    take: () => {
      taken = seen;
      seen = new Map();
      return [...taken.values()];
    },
    find: (kind, id) => {
      const key = keyOf(kind, id);
      return (seen.get(key) ?? taken.get(key))?.at;
    },
  };
}
