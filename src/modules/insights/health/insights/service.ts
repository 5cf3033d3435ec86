import type { Db } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { agingOf, findAgingRows } from '../rating/queries.ts';
import { type Aging, daysToProduction, meanDays, rate } from '../rating/rating.ts';
import type { Insights } from './contract.ts';
import { findInsightRows, findReleaseRows } from './queries.ts';

const leadTimeOf = (releases: Aging['releases']): Insights['leadTime'] => ({
  projectAverage: meanDays(releases),
  features: releases.map((release) => ({
    name: release.name,
    timeToProduction: daysToProduction(release),
  })),
});

/** Returns the statistics of the last two months, also of an archived project. */
export async function getStats(
  db: Db,
  { project, now }: { readonly project: string; readonly now: Date },
): Promise<Insights['stats']> {
  const rows = await findAgingRows(db, project, now);
  if (!rows) throw notFound('project', project);
  return rate(agingOf(rows), now.getTime()).rating.stats;
}

export async function getLeadTime(
  db: Db,
  project: string,
  now: Date,
): Promise<Insights['leadTime']> {
  const rows = await findReleaseRows(db, project, now);
  if (!rows) throw notFound('project', project);
  return leadTimeOf(rows.releases);
}

export async function getInsights(db: Db, project: string, now: Date): Promise<Insights> {
  const rows = await findInsightRows(db, project, now);
  if (!rows) throw notFound('project', project);
  const aging = agingOf(rows);
  const { stats, health, ...counts } = rate(aging, now.getTime()).rating;
  return {
    stats,
    health: { rating: health, ...counts },
    leadTime: leadTimeOf(aging.releases),
    featureTypeCounts: rows.featureTypeCounts,
    members: {
      currentMembers: rows.joined.length,
      change: stats.projectMembersAddedCurrentWindow,
    },
  };
}
