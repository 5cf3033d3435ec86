/** How many of the last durations an average and a percentile are of. */
const most = 100;

export interface Durations {
  readonly avg: number | null;
  readonly p99: number | null;
}

/** The durations of the last requests of one kind, in milliseconds. */
export function createDurations() {
  const last: number[] = [];
  return {
    add(ms: number): void {
      last.push(ms);
      if (last.length > most) last.shift();
    },
    read(): Durations {
      if (last.length === 0) return { avg: null, p99: null };
      const sorted = [...last].sort((a, b) => a - b);
      const average = sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length;
      return { avg: average, p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? null };
    },
  };
}
