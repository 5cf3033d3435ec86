interface Flight<Result> {
  readonly current: Promise<Result>;
  next?: Promise<Result>;
}

/**
 * Does something once for all who ask at the same time. Whoever comes while it is being done gets the result of
 * the next time: what they know to have happened before they came cannot be missing in it.
 */
export function createFlights<Key, Result>(): (
  key: Key,
  work: () => Promise<Result>,
) => Promise<Result> {
  const flights = new Map<Key, Flight<Result>>();

  function begin(key: Key, work: () => Promise<Result>): Promise<Result> {
    const current = work();
    const flight: Flight<Result> = { current };
    flights.set(key, flight);
    const land = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    current.then(land, land);
    return current;
  }

  return (key, work) => {
    const flight = flights.get(key);
    if (!flight) return begin(key, work);
    flight.next ??= flight.current.then(
      () => begin(key, work),
      () => begin(key, work),
    );
    return flight.next;
  };
}
