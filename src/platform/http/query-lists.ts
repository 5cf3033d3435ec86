interface QuerySchema {
  readonly properties?: Readonly<Record<string, { type?: unknown; 'x-commas'?: true }>>;
}

/** `tag[]` and `tag[2]` mean `tag`. */
const bracketed = /^([^[\]]+)\[\d{0,4}\]$/;

const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

const separated = (values: readonly unknown[]): unknown[] =>
  values.flatMap((value) =>
    typeof value === 'string' ? value.split(',').map((item) => item.trim()) : [value],
  );

/**
 * Normalises a query before validation: accepts each spelling of a parameter, and turns list parameters into lists. A
 * filter in an unknown spelling would be ignored and return everything.
 */
export function queryReader(schema: object): (query: unknown) => unknown {
  const properties = (schema as QuerySchema).properties ?? {};
  const lists = Object.entries(properties).filter(([, { type }]) => type === 'array');

  /** Returns the schema's name of a parameter, or the key itself. */
  const nameOf = (key: string): string => {
    if (Object.hasOwn(properties, key)) return key;
    const name = bracketed.exec(key)?.[1];
    return name !== undefined && Object.hasOwn(properties, name) ? name : key;
  };

  return (query) => {
    if (typeof query !== 'object' || query === null) return query;
    const keys = Object.keys(query);
    if (keys.length === 0) return query;
    let read = query as Record<string, unknown>;
    if (keys.some((key) => nameOf(key) !== key)) {
      // Without a prototype, because callers choose the names.
      read = Object.create(null);
      for (const [key, value] of Object.entries(query)) {
        const name = nameOf(key);
        read[name] = Object.hasOwn(read, name) ? asArray(read[name]).concat(value) : value;
      }
    }
    for (const [name, { 'x-commas': commas }] of lists) {
      const value = read[name];
      if (value !== undefined) read[name] = commas ? separated(asArray(value)) : asArray(value);
    }
    return read;
  };
}
