import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

export interface Creator {
  readonly id: number;
  readonly name: string;
}

/**
 * Distinct creators under their newest name. Jumps from creator to creator along the index: 50
 * creators in a million events are 50 look-ups, where DISTINCT would read every entry.
 */
export async function listCreators(
  db: Db,
  sees: 'all' | ReadonlySet<string>,
): Promise<readonly Creator[]> {
  const visible = sees === 'all' ? sql`true` : sql`e.project = any(${[...sees]}::text[])`;
  const { rows } = await sql<Creator>`
    with recursive creators as (
      (select created_by_user_id as id from events
       where created_by_user_id is not null order by created_by_user_id limit 1)
      union all
      select (select e.created_by_user_id from events e
              where e.created_by_user_id > c.id order by e.created_by_user_id limit 1)
      from creators c where c.id is not null
    )
    select c.id, newest.name
    from creators c cross join lateral (
      select e.created_by as name from events e
      where e.created_by_user_id = c.id and ${visible} order by e.id desc limit 1
    ) newest
    where c.id is not null
    order by newest.name`.execute(db);
  return rows;
}
