/** Looks up values and caches them for a short time. */
export interface LookupCache<Value> {
  /** Returns the cached value synchronously, or the promise of a look-up. Concurrent callers share one look-up. */
  readonly get: (
    key: string,
    now: number,
    find: () => Promise<Value | undefined>,
  ) => Value | Promise<Value | undefined>;
  readonly clear: () => void;
}

interface Entry<Value> {
  readonly found: Promise<Value | undefined>;
  readonly until: number;
  /** Set when the look-up has ended, so that later callers need not wait for a promise. */
  value?: Value;
}

/**
 * Creates the cache. It does not use `createCache`, for three reasons. Keys are credentials, so expired entries are
 * removed every second and not only when the cache is full. Time is the caller's clock, which may be set back. And
 * `clear` must hide look-ups in progress from later callers. Missing values are not cached.
 */
export function createLookupCache<Value>({
  lifetimeMs = 1000,
  maxEntries = 10_000,
} = {}): LookupCache<Value> {
  const entries = new Map<string, Entry<Value>>();
  let sweptAt = 0;

  /** Removes expired entries, or all entries if that is not enough. */
  const evict = (now: number) => {
    if (Math.abs(now - sweptAt) >= lifetimeMs) {
      sweptAt = now;
      for (const [key, { until }] of entries)
        if (until <= now || until > now + lifetimeMs) entries.delete(key);
    }
    if (entries.size >= maxEntries) entries.clear();
  };

  return {
    get(key, now, find) {
      const entry = entries.get(key);
      // An entry can expire later than that only if the clock was set back since.
      const leftMs = entry ? entry.until - now : 0;
      if (entry && leftMs > 0 && leftMs <= lifetimeMs) return entry.value ?? entry.found;
      evict(now);
      const fresh: Entry<Value> = { found: find(), until: now + lifetimeMs };
      entries.set(key, fresh);
      const drop = () => {
        if (entries.get(key) === fresh) entries.delete(key);
      };
      fresh.found.then((value) => {
        if (value === undefined) drop();
        else fresh.value = value;
      }, drop);
      return fresh.found;
    },
    // A look-up in progress may have read outdated data, so later callers start another one.
    clear: () => entries.clear(),
  };
}
