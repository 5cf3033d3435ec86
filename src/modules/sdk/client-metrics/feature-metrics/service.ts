import type { Actor } from '../../../../platform/actor.ts';
import { hourMs } from '../../../../platform/clock.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { countEvaluations, listApplicationsOf, listHours, listLastHours } from './queries.ts';

const headOf = (featureName: string) => ({ version: 1, maturity: 'stable', featureName });

/** The start of the hour `hours` ago. */
const hoursAgo = (now: Date, hours: number) => {
  const then = now.getTime() - hours * hourMs;
  return new Date(then - (then % hourMs));
};

export async function getFeatureUsage(db: Db, featureName: string, now: Date) {
  const hours = await listLastHours(db, featureName, hoursAgo(now, 1));
  return {
    ...headOf(featureName),
    lastHourUsage: hours.map(({ hour, ...counts }) => ({
      ...counts,
      timestamp: hour.toISOString(),
    })),
    seenApplications: await listApplicationsOf(db, featureName),
  };
}

interface EvaluationCount {
  readonly names: readonly string[];
  /** All, if there is none. */
  readonly environment: string | undefined;
  readonly hours: number;
  readonly now: Date;
}

export const countEvaluationsFor = async (
  db: Db,
  { sees }: Actor,
  { hours, now, ...counted }: EvaluationCount,
) => ({ features: await countEvaluations(db, { sees, ...counted, since: hoursAgo(now, hours) }) });

const usualHoursBack = 48;
const mostEntries = 50_000;

export async function listFeatureUsage(
  db: Db,
  featureName: string,
  { now, hoursBack = usualHoursBack }: { readonly now: Date; readonly hoursBack?: number },
) {
  const hours = await listHours(db, featureName, hoursAgo(now, hoursBack), mostEntries);
  return {
    ...headOf(featureName),
    data: hours.map(({ hour, variants, ...counts }) => ({
      ...counts,
      timestamp: hour.toISOString(),
      variants: variants ?? {},
    })),
  };
}
