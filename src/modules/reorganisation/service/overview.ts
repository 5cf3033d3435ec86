import type { Actor, Db } from '../../../platform/db/database.ts';
import { listFeatures } from '../../features/index.ts';
import { getProjectOverviewFor } from '../../projects/index.ts';

/** The overview of a project with its living features, as JSON: that is how features come. */
export async function getOverviewWithFeatures(
  db: Db,
  viewer: { readonly actor: Actor; readonly baseUrl: string; readonly now: Date },
  project: string,
): Promise<string> {
  const overview = { version: 1, ...(await getProjectOverviewFor(db, viewer, project)) };
  const features = await listFeatures(db, viewer, project);
  return `${JSON.stringify(overview).slice(0, -1)},"features":[${features}]}`;
}
