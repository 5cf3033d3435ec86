import { sql } from 'kysely';
import type { Actor } from '../../platform/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { instantText } from '../../platform/db/instant-text.ts';
import { isEventVisible } from '../events/index.ts';

/** What a feature has in an environment. */
interface FeatureInEnvironment {
  readonly feature: string;
  readonly environment: string;
}

/** The last event up to a moment that removed what a feature had in each of these environments, where it has nothing. */
export async function listLastRemovals(
  db: Db,
  eventId: number,
  places: readonly FeatureInEnvironment[],
): Promise<(FeatureInEnvironment & { readonly id: number })[]> {
  if (places.length === 0) return [];
  const { rows } = await sql<FeatureInEnvironment & { id: number }>`
    select place.feature, place.environment, last.id
    from json_to_recordset(${JSON.stringify(places)}::json) place(feature text, environment text)
    cross join lateral (
      select states.to_id::float8 as id from history_states states
      where states.kind = 'feature-environment' and states.key = place.feature
        and states.part = place.environment and states.from_id <= ${eventId}
      order by states.from_id desc limit 1) last`.execute(db);
  return rows;
}

/** An event as responses name it. */
export interface NamedEvent {
  readonly id: number;
  readonly type: string;
  readonly summary: string;
  readonly createdAt: string;
}

/**
 * Those of these events that the actor may see. An event with which a line of states begins is left out: it changed
 * nothing, the states only begin there.
 */
export async function listNamedEvents(
  db: Db,
  { sees }: Pick<Actor, 'sees'>,
  ids: readonly number[],
): Promise<NamedEvent[]> {
  const { rows } = await sql<NamedEvent>`
    select e.id, e.type, e.summary, ${instantText('e.created_at')} as "createdAt"
    from events e
    where e.id = any(${ids}::bigint[]) and ${isEventVisible(sees, 'e.project', 'e.id')}
      and not exists (select from history_gaps gap where gap.to_id = e.id)`.execute(db);
  return rows;
}
