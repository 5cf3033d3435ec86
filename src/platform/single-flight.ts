interface Flight<Result> {
  readonly current: Promise<Result>;
  next?: Promise<Result>;
}

/** Shares one run of work among concurrent callers. Each key has at most one run at a time. */
export interface SingleFlight<Key, Result> {
  /** Joins the current run, or starts one. */
  readonly join: (key: Key, work: () => Promise<Result>) => Promise<Result>;
  /**
   * Never joins the current run, because it may have read data from before this call. Joins the run after it, or starts
   * one at once if there is none.
   */
  readonly joinNext: (key: Key, work: () => Promise<Result>) => Promise<Result>;
}

export function createSingleFlight<Key, Result>(): SingleFlight<Key, Result> {
  const flights = new Map<Key, Flight<Result>>();

  function begin(key: Key, work: () => Promise<Result>): Promise<Result> {
    const current = work();
    const flight: Flight<Result> = { current };
    flights.set(key, flight);
    // Registered before any `next`, which therefore starts right after this, with nothing in between.
    const end = () => {
      flights.delete(key);
    };
    current.then(end, end);
    return current;
  }

  return {
    join: (key, work) => flights.get(key)?.current ?? begin(key, work),
    joinNext(key, work) {
      const flight = flights.get(key);
      if (!flight) return begin(key, work);
      const beginNext = () => begin(key, work);
      flight.next ??= flight.current.then(beginNext, beginNext);
      return flight.next;
    },
  };
}
