/** 100 minus the percentage of features that are stale or potentially stale. */
export const healthOf = (features: number, staleOrDue: number): number =>
  features === 0 ? 100 : Math.round(100 - (100 * staleOrDue) / features);
