import type { Db } from '../../../../platform/db/database.ts';
import { inBatches, type Pieces } from '../../../../platform/http/long-json.ts';
import { featureBatchRows, type Viewer } from '../read/service.ts';
import { summariesOf } from '../read/summary.ts';
import type { FeatureSearch } from './filter.ts';
import { findFeatures, findNames, listFound } from './queries.ts';

/** A page up to this length is read in one statement. */
const shortPage = 250;

/**
 * Returns a page of features, each as JSON, and their total. Of a long page, one statement finds the names and the
 * total, and the features are read as they are sent.
 */
export async function searchFeatures(
  db: Db,
  { actor, baseUrl }: Viewer,
  search: FeatureSearch,
  now: Date,
): Promise<{ readonly features: Pieces; readonly total: number }> {
  if (search.paging.limit <= shortPage) {
    const { total, ...rows } = await findFeatures(db, actor, search, now);
    return { features: await summariesOf(rows, baseUrl), total };
  }
  const { names, total } = await findNames(db, actor, search, now);
  const features = inBatches<number>(async (from = 0, limit) => {
    const rows = await listFound(db, actor, search.filter, names.slice(from, from + limit), now);
    const next = from + limit;
    return {
      items: await summariesOf(rows, baseUrl),
      next: next < names.length ? next : undefined,
    };
  }, featureBatchRows);
  return { features, total };
}
