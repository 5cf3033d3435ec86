import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import { isFavoriteOf } from '../favorites/queries.ts';
import { countedFeatures, healthOf } from '../feature-counts.ts';
import { countedMembers, listedOwners, nobody } from '../owner-queries.ts';
import { columns, projectOf } from '../queries.ts';

/** With its people, how it fares at an instant, and whether someone favours it. */
export async function findProjectOf(
  db: Db,
  {
    id,
    userId,
    baseUrl,
    now,
  }: {
    readonly id: string;
    readonly userId: number;
    readonly baseUrl: string;
    readonly now: Date;
  },
) {
  const row = await db
    .selectFrom('projects')
    .leftJoin(countedFeatures(now, id).as('counted'), 'counted.project', 'projects.id')
    .leftJoin(countedMembers.as('people'), 'people.project', 'projects.id')
    .leftJoin(listedOwners(baseUrl).as('owners'), 'owners.project', 'projects.id')
    .where('projects.id', '=', id)
    .select(columns)
    .select(({ fn, val }) => [
      isFavoriteOf(userId).as('favorite'),
      fn.coalesce('counted.features', val(0)).as('features'),
      sql<number>`coalesce(counted.stale + counted."potentiallyStale", 0)`.as('staleOrDue'),
      fn.coalesce('people.count', val(0)).as('members'),
      'owners.list as owners',
    ])
    .executeTakeFirst();
  if (!row) return undefined;
  const { favorite, members, owners } = row;
  const health = healthOf(row.features, row.staleOrDue);
  return {
    ...projectOf(row),
    ...{ favorite, health, technicalDebt: 100 - health, members, owners: owners ?? nobody },
  };
}
