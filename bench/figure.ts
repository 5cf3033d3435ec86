/** The result of one measurement. Only measured values are set. */
export interface Figure {
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly maxMs?: number;
  readonly meanMs?: number;
  readonly perSecond?: number;
  readonly megabytes?: number;
  readonly samples?: number;
  /** A remark for readers of the figure. */
  readonly note?: string;
}

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;

/** Of figures in any order: `quantileOf(times, 0.99)` is the 99th percentile. */
export const quantileOf = (values: readonly number[], share: number): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    share,
  );

export function figureOf(
  times: readonly number[],
): Required<Pick<Figure, 'p50Ms' | 'p95Ms' | 'maxMs' | 'meanMs' | 'samples'>> {
  const sorted = [...times].sort((a, b) => a - b);
  return {
    p50Ms: quantile(sorted, 0.5),
    p95Ms: quantile(sorted, 0.95),
    maxMs: quantile(sorted, 1),
    meanMs: times.reduce((sum, time) => sum + time, 0) / times.length,
    samples: times.length,
  };
}
