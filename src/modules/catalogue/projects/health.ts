/** 100 less the share of features that are stale, or should be. */
export const healthOf = (features: number, staleOrDue: number): number =>
  features === 0 ? 100 : Math.round(100 - (100 * staleOrDue) / features);
