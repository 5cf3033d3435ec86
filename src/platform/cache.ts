import { LRUCache } from 'lru-cache';

/** A bounded cache by key. It evicts the least recently used value first. */
export interface Cache<Key, Value> {
  /** Counts as a use. */
  readonly get: (key: Key) => Value | undefined;
  /** Does not count as a use. */
  readonly has: (key: Key) => boolean;
  readonly set: (key: Key, value: Value) => void;
  readonly delete: (key: Key) => void;
}

interface CostBound<Key, Value> {
  /** The maximum total cost of all values, in bytes or in the unit of `costOf`. */
  readonly maxCost: number;
  /** Called when a value is set. To change the cost of a value, set it again. */
  readonly costOf: (value: Value, key: Key) => number;
}

/** At least one of the two bounds is required. */
type Bounds<Key, Value> =
  | { readonly maxEntries: number }
  | (CostBound<Key, Value> & { readonly maxEntries?: number });

/**
 * Creates the bounded cache of this service. A value that costs more than the maximum is cached alone: otherwise a
 * large installation would compute its largest value again for every request.
 */
export function createCache<Key extends {}, Value extends {}>(
  bounds: Bounds<Key, Value>,
): Cache<Key, Value> {
  const { maxEntries } = bounds;
  // Not with `max`, for which lru-cache reserves memory for all entries at once: 16 ms of each start.
  const entries =
    'maxCost' in bounds
      ? new LRUCache<Key, Value>({
          maxSize: bounds.maxCost,
          // lru-cache accepts only positive integers.
          sizeCalculation: (value, key) =>
            Math.min(bounds.maxCost, Math.max(1, Math.ceil(bounds.costOf(value, key)))),
        })
      : new LRUCache<Key, Value>({ maxSize: bounds.maxEntries, sizeCalculation: () => 1 });
  return {
    get: (key) => entries.get(key),
    has: (key) => entries.has(key),
    set(key, value) {
      // lru-cache does not update the cost if the same value is set again.
      if (entries.peek(key) === value) entries.delete(key);
      entries.set(key, value);
      if (maxEntries !== undefined && entries.size > maxEntries) entries.pop();
    },
    delete: (key) => void entries.delete(key),
  };
}
