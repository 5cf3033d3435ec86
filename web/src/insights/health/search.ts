export const reasons = [
  'markedStale',
  'lifetimeOver',
  'expired',
  'notSeen',
  'fullyOn',
  'completedButCalled',
  'archivedButCalled',
  'notInCode',
] as const;
export type Reason = (typeof reasons)[number];

export const periods = [30, 90, 365] as const;
type Period = (typeof periods)[number];

/** What the address of a project's health says. */
export interface HealthSearch {
  /** Only features that should go for this reason. */
  readonly reason?: Reason;
  /** How many days the chart shows. */
  readonly days?: Period;
  /** Whether features that someone decided to keep are listed, too. */
  readonly kept?: true;
  /** The feature whose removal is checked. */
  readonly check?: string;
}

/** Reads an address; what is wrong in it is left out. */
export const readHealthSearch = (raw: Record<string, unknown>): HealthSearch => {
  const reason = reasons.find((each) => each === raw.reason);
  const days = periods.find((each) => each === raw.days);
  const check = typeof raw.check === 'number' ? String(raw.check) : raw.check;
  return {
    ...(reason && { reason }),
    ...(days && { days }),
    ...(raw.kept === true && { kept: true }),
    ...(typeof check === 'string' && check !== '' && { check }),
  };
};

const columns = ['name', 'health', 'due', 'week'] as const;
export type Column = (typeof columns)[number];

/** What the address of the health of all projects says. */
export interface OverviewSearch {
  readonly query?: string;
  /** Only projects over their budget. */
  readonly over?: true;
  readonly sortBy?: Column;
  readonly sortOrder?: 'desc';
}

export const readOverviewSearch = (raw: Record<string, unknown>): OverviewSearch => {
  const sortBy = columns.find((column) => column === raw.sortBy);
  const query = typeof raw.query === 'number' ? String(raw.query) : raw.query;
  return {
    ...(typeof query === 'string' && query !== '' && { query }),
    ...(raw.over === true && { over: true }),
    ...(sortBy && { sortBy }),
    ...(raw.sortOrder === 'desc' && { sortOrder: 'desc' }),
  };
};
