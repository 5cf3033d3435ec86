import { LRUCache } from 'lru-cache';

/** Values by key, bounded. The one that was used longest ago is removed first. */
export interface Cache<Key, Value> {
  /** Counts as a use. */
  readonly get: (key: Key) => Value | undefined;
  /** Does not count as a use. */
  readonly has: (key: Key) => boolean;
  readonly set: (key: Key, value: Value) => void;
  readonly delete: (key: Key) => void;
}

interface CostBound<Key, Value> {
  /** What all values together may cost: bytes, or whatever `costOf` counts. */
  readonly maxCost: number;
  /** Read when a value is set. Whoever changes what a value costs sets it again. */
  readonly costOf: (value: Value, key: Key) => number;
}

/** At least one of the two bounds is given. */
type Bounds<Key, Value> =
  | { readonly maxEntries: number }
  | (CostBound<Key, Value> & { readonly maxEntries?: number });

/**
 * The bounded cache of this service. A value that costs more than all may cost together is kept, alone: otherwise a
 * large installation would compute its largest value anew for every request.
 */
export function createCache<Key extends {}, Value extends {}>(
  bounds: Bounds<Key, Value>,
): Cache<Key, Value> {
  const entries =
    'maxCost' in bounds
      ? new LRUCache<Key, Value>({
          ...(bounds.maxEntries !== undefined && { max: bounds.maxEntries }),
          maxSize: bounds.maxCost,
          // lru-cache takes only whole numbers above 0.
          sizeCalculation: (value, key) =>
            Math.min(bounds.maxCost, Math.max(1, Math.ceil(bounds.costOf(value, key)))),
        })
      : new LRUCache<Key, Value>({ max: bounds.maxEntries });
  return {
    get: (key) => entries.get(key),
    has: (key) => entries.has(key),
    set(key, value) {
      // lru-cache keeps the former cost of a value that it already has.
      if (entries.peek(key) === value) entries.delete(key);
      entries.set(key, value);
    },
    delete: (key) => void entries.delete(key),
  };
}
