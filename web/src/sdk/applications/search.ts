const orders = ['appName', 'lastSeen'] as const;
export type Order = (typeof orders)[number];

/** What the address of the list of applications says. */
export interface ApplicationsSearch {
  readonly query?: string;
  /** Only applications with an outdated SDK. */
  readonly outdated?: true;
  readonly sortBy?: Order;
  readonly sortOrder?: 'desc';
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Reads an address; what is wrong in it is left out. */
export const readApplicationsSearch = (raw: Record<string, unknown>): ApplicationsSearch => {
  const query = textOf(raw.query);
  const sortBy = orders.find((order) => order === raw.sortBy);
  return {
    ...(query !== '' && { query }),
    ...(raw.outdated === true && { outdated: true }),
    ...(sortBy && { sortBy }),
    ...(raw.sortOrder === 'desc' && { sortOrder: 'desc' }),
  };
};

/** What the address of the unknown flags says. */
interface UnknownSearch {
  /** Whether the ignored flags are shown instead of the others. */
  readonly ignored?: true;
  /** Only flags that this application requests. */
  readonly application?: string;
}

export const readUnknownSearch = (raw: Record<string, unknown>): UnknownSearch => {
  const application = textOf(raw.application);
  return {
    ...(raw.ignored === true && { ignored: true }),
    ...(application !== '' && { application }),
  };
};
