import type { Response } from '../../api.ts';
import { startOfDay } from '../../ui/time-zone.ts';

export type UsageHour =
  Response<'GET /api/admin/client-metrics/features/:featureName/raw'>['data'][number];

const hourMs = 3_600_000;

/** Over more than three days, a day is one bar. */
export const bucketMsFor = (hours: number): number => (hours > 72 ? 24 * hourMs : hourMs);

/** The start of the bucket, in the chosen time zone for days. */
function bucketOf(instant: number, bucketMs: number): number {
  if (bucketMs === hourMs) return Math.floor(instant / hourMs) * hourMs;
  return startOfDay(new Date(instant)).getTime();
}

/** One point for each bucket up to now, also for those without any use. */
export function usagePoints(data: readonly UsageHour[], hours: number, now: number) {
  const bucketMs = bucketMsFor(hours);
  const sums = new Map<number, { yes: number; no: number }>();
  for (let at = now - (hours - 1) * hourMs; at <= now; at += hourMs) {
    sums.set(bucketOf(at, bucketMs), { yes: 0, no: 0 });
  }
  for (const { timestamp, yes, no } of data) {
    const sum = sums.get(bucketOf(Date.parse(timestamp), bucketMs));
    if (!sum) continue;
    sum.yes += yes;
    sum.no += no;
  }
  return [...sums].sort(([a], [b]) => a - b).map(([at, sum]) => ({ at, ...sum }));
}

/** Sums by a key, the most used first. */
export function sumsBy(data: readonly UsageHour[], keyOf: (hour: UsageHour) => string) {
  const sums = new Map<string, { yes: number; no: number }>();
  for (const hour of data) {
    const sum = sums.get(keyOf(hour)) ?? { yes: 0, no: 0 };
    sum.yes += hour.yes;
    sum.no += hour.no;
    sums.set(keyOf(hour), sum);
  }
  return [...sums]
    .map(([key, sum]) => ({ key, ...sum }))
    .sort((a, b) => b.yes + b.no - (a.yes + a.no));
}

/** How often each variant was given. */
export function variantSums(data: readonly UsageHour[]) {
  const sums = new Map<string, number>();
  for (const { variants } of data) {
    for (const [name, times] of Object.entries(variants)) {
      sums.set(name, (sums.get(name) ?? 0) + times);
    }
  }
  return [...sums].map(([name, times]) => ({ name, times })).sort((a, b) => b.times - a.times);
}
