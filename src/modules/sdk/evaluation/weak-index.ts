interface WeakIndex<Value extends object> {
  readonly get: (key: string, make: () => Value) => Value;
}

const leastSwept = 1_000;

/** Caches one value per key for as long as it is referenced elsewhere. */
export function createWeakIndex<Value extends object>(): WeakIndex<Value> {
  const values = new Map<string, WeakRef<Value>>();
  let sweepAt = leastSwept;

  function sweep(): void {
    for (const [key, value] of values) if (value.deref() === undefined) values.delete(key);
    // Sweeps when the size has doubled, so that the cost per value stays constant.
    sweepAt = Math.max(leastSwept, 2 * values.size);
  }

  return {
    get(key, make) {
      const found = values.get(key)?.deref();
      if (found !== undefined) return found;
      const made = make();
      values.set(key, new WeakRef(made));
      if (values.size > sweepAt) sweep();
      return made;
    },
  };
}
