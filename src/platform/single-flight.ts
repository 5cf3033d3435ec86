interface Flight<Result> {
  readonly current: Promise<Result>;
  next?: Promise<Result>;
}

/** Does work once for all who ask for it at the same time. For each key, one piece of work is under way at a time. */
export interface SingleFlight<Key, Result> {
  /** Joins the work under way, or begins it. */
  readonly join: (key: Key, work: () => Promise<Result>) => Promise<Result>;
  /**
   * Never joins work that is under way, because that may have read what was true before this call. It joins the work
   * after it, or begins at once where nothing is under way.
   */
  readonly joinNext: (key: Key, work: () => Promise<Result>) => Promise<Result>;
}

export function createSingleFlight<Key, Result>(): SingleFlight<Key, Result> {
  const flights = new Map<Key, Flight<Result>>();

  function begin(key: Key, work: () => Promise<Result>): Promise<Result> {
    const current = work();
    const flight: Flight<Result> = { current };
    flights.set(key, flight);
    // Registered before any `next`, which therefore begins right after this, with nothing in between.
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
