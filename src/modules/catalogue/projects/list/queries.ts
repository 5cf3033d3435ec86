import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import { isFavoriteOf } from '../favorites/queries.ts';
import { countedFeatures, healthOf } from '../feature-counts.ts';
import { countedMembers, listedOwners, nobody } from '../owner-queries.ts';
import { type Listing, projectOf, selectProjects, withGivenDescription } from '../queries.ts';
import type { ListedProject } from './contract.ts';

/** The newest event since the project exists: an earlier project may have had the same id. */
const lastUpdatedAt = sql<Date | null>`(
  select events.created_at from events
  where events.project = projects.id and events.id >= projects.first_event_id
  order by events.id desc limit 1
)`;

const changeRequestEnvironments = sql<string[]>`array(
  select pe.environment from project_environments pe
  where pe.project = projects.id and pe.change_requests_enabled
  order by pe.environment
)`;

/** With what can be counted of them, as of an instant, whom they belong to, and whether someone favours them. */
export async function listCountedProjects(
  db: Db,
  {
    now,
    userId,
    baseUrl,
    ...listing
  }: Listing & { readonly now: Date; readonly userId: number; readonly baseUrl: string },
): Promise<ListedProject[]> {
  const rows = await selectProjects(db, listing)
    .leftJoin(countedFeatures(now).as('counted'), 'counted.project', 'projects.id')
    .leftJoin(countedMembers.as('members'), 'members.project', 'projects.id')
    .leftJoin(listedOwners(baseUrl).as('owners'), 'owners.project', 'projects.id')
    .select(({ fn, val }) => [
      fn.coalesce('counted.features', val(0)).as('featureCount'),
      fn.coalesce('counted.stale', val(0)).as('staleFeatureCount'),
      fn.coalesce('counted.potentiallyStale', val(0)).as('potentiallyStaleFeatureCount'),
      isFavoriteOf(userId).as('favorite'),
      lastUpdatedAt.as('lastUpdatedAt'),
      fn.coalesce('members.count', val(0)).as('memberCount'),
      'owners.list as owners',
      changeRequestEnvironments.as('changeRequestEnvironments'),
    ])
    .execute();
  return rows.map((row) => ({
    ...withGivenDescription(projectOf(row)),
    health: healthOf(row.featureCount, row.staleFeatureCount + row.potentiallyStaleFeatureCount),
    featureCount: row.featureCount,
    staleFeatureCount: row.staleFeatureCount,
    potentiallyStaleFeatureCount: row.potentiallyStaleFeatureCount,
    favorite: row.favorite,
    lastUpdatedAt: row.lastUpdatedAt?.toISOString() ?? null,
    memberCount: row.memberCount,
    owners: row.owners ?? nobody,
    changeRequestEnvironments: row.changeRequestEnvironments,
  }));
}
