/** Looks values up and believes what was found for a short time. */
export interface LookupCache<Value> {
  /**
   * The value under a key: what was found a moment ago, without a promise, or what `find` finds now. When many ask at
   * once, one of them looks it up.
   */
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
  /** Set once it was found, so that later callers need not wait for a promise. */
  value?: Value;
}

/**
 * Not built on `createCache`, for three reasons. Keys are credentials, so entries that are over are removed every
 * second and not only when there is no room. Time is the caller's clock, which may be set back. And `clear` has to
 * make look-ups under way unknown to later callers. What is not found is not remembered.
 */
export function createLookupCache<Value>({
  lifetimeMs = 1000,
  maxEntries = 10_000,
} = {}): LookupCache<Value> {
  const entries = new Map<string, Entry<Value>>();
  let sweptAt = 0;

  /** Should it not be enough to remove what is over, everything is removed. */
  const makeRoom = (now: number) => {
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
      // An entry can end later than that only if the clock was set back since.
      const leftMs = entry ? entry.until - now : 0;
      if (entry && leftMs > 0 && leftMs <= lifetimeMs) return entry.value ?? entry.found;
      makeRoom(now);
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
    // A look-up under way may have read what is no longer true: later callers begin another one.
    clear: () => entries.clear(),
  };
}
