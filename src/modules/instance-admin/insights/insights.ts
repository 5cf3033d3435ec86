import type { Actor } from '../../../platform/actor.ts';
import { dayMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { listProjectsFor } from '../../catalogue/projects/index.ts';
import type { InstanceInsights } from './contract.ts';
import { countPeople, listUpdates, listUsage, listWeeks, type Period } from './queries.ts';

const defaultDays = 90;
const maxDays = 400;
/** The same limit as for inactive users elsewhere. */
const inactiveDays = 180;

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** The days that are returned: the last ones if there are too many. */
function periodOf(now: Date, { from, to }: Partial<Period>): Period {
  const last = to ?? dayOf(now.getTime());
  const before = (days: number) => dayOf(Date.parse(last) - days * dayMs);
  const first = from ?? before(defaultDays);
  return { from: first < before(maxDays) ? before(maxDays) : first, to: last };
}

/** The ISO week of a day, in PostgreSQL's format. */
function weekOf(day: string): string {
  const date = new Date(`${day}T00:00:00.000Z`);
  // A week belongs to the year of its Thursday.
  const thursday = date.getTime() + (4 - (date.getUTCDay() || 7)) * dayMs;
  const year = new Date(thursday).getUTCFullYear();
  const number = Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * dayMs)) + 1;
  return `${year}-${String(number).padStart(2, '0')}`;
}

type ProjectWeek = InstanceInsights['projectFlagTrends'][number];

/** The sums of all projects by week, each at the last day that any project has. */
function sumWeeks(weeks: readonly ProjectWeek[]): InstanceInsights['flagTrends'] {
  const sums = new Map<string, InstanceInsights['flagTrends'][number]>();
  for (const { week, date, total, active, stale, potentiallyStale } of weeks) {
    const sum = sums.get(week);
    sums.set(week, {
      week,
      date: sum && sum.date > date ? sum.date : date,
      total: (sum?.total ?? 0) + total,
      active: (sum?.active ?? 0) + active,
      stale: (sum?.stale ?? 0) + stale,
      potentiallyStale: (sum?.potentiallyStale ?? 0) + potentiallyStale,
    });
  }
  return [...sums.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** All numbers are of one snapshot. */
export async function getInstanceInsights(
  db: Db,
  viewer: { readonly actor: Actor; readonly baseUrl: string; readonly now: Date },
  requested: Partial<Period>,
): Promise<InstanceInsights> {
  const { actor, now } = viewer;
  const { sees } = actor;
  const period = periodOf(now, requested);
  const today = dayOf(now.getTime());
  const projects = await listProjectsFor(db, viewer, { archived: false });
  const { total, inactive } = await countPeople(db, new Date(now.getTime() - inactiveDays * dayMs));
  const users = { total, inactive, active: total - inactive };
  const isToday = period.from <= today && today <= period.to;
  const week = weekOf(today);
  const standing = projects.map((project) => ({
    project: project.id,
    date: today,
    week,
    total: project.featureCount,
    active: project.featureCount - project.staleFeatureCount - project.potentiallyStaleFeatureCount,
    stale: project.staleFeatureCount,
    potentiallyStale: project.potentiallyStaleFeatureCount,
    health: project.health,
    users: project.memberCount,
  }));
  const past = await listWeeks(db, sees, period);
  const weeks = isToday ? [...past.filter((each) => each.week !== week), ...standing] : past;
  return {
    users,
    userTrends: isToday ? [{ date: today, ...users }] : [],
    flags: { total: standing.reduce((sum, each) => sum + each.total, 0) },
    flagTrends: sumWeeks(weeks),
    projectFlagTrends: [...weeks],
    metricsSummaryTrends: await listUsage(db, sees, period),
    environmentTypeTrends: await listUpdates(db, sees, period),
  };
}
