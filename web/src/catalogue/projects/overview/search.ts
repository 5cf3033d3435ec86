export const reasons = [
  'markedStale',
  'lifetimeOver',
  'notSeen',
  'fullyOn',
  'completedButCalled',
  'archivedButCalled',
  'notInCode',
] as const;
export type Reason = (typeof reasons)[number];

export const periods = [30, 90, 365] as const;
type Period = (typeof periods)[number];

/** What the address of an overview says. */
interface OverviewSearch {
  /** Only features that should go for this reason. */
  readonly reason?: Reason;
  /** How many days the chart shows. */
  readonly days?: Period;
}

export const readOverviewSearch = (raw: Record<string, unknown>): OverviewSearch => {
  const reason = reasons.find((each) => each === raw.reason);
  const days = periods.find((each) => each === raw.days);
  return { ...(reason && { reason }), ...(days && { days }) };
};
