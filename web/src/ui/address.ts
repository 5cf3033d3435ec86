type Raw = Record<string, unknown>;

/**
 * Reads the search parameters of an address, and nothing beside them. The router lays what a page reads over what the
 * address says, so that a wrong value which is only left out would reach the page as it is.
 */
export const only =
  <Search extends object>(read: (raw: Raw) => Search) =>
  (raw: Raw): Search => ({
    ...Object.fromEntries(Object.keys(raw).map((name) => [name, undefined])),
    ...read(raw),
  });
