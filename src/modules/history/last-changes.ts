import { sql } from 'kysely';
import type { Actor } from '../../platform/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { instantText } from '../../platform/db/instant-text.ts';
import { isEventVisible } from '../events/index.ts';

/** What an evaluation depends on. */
interface Evaluated {
  readonly eventId: number;
  readonly features: readonly string[];
  readonly environments: readonly string[];
  readonly segments: readonly number[];
}

/** The events that led to the states of things, by the name or ID of the thing. */
export interface LastChanges {
  readonly ofFeature: (name: string) => number | undefined;
  readonly inEnvironment: (feature: string, environment: string) => number | undefined;
  readonly ofSegment: (id: number) => number | undefined;
}

interface LastChange {
  readonly kind: 'feature' | 'feature-environment' | 'segment';
  readonly key: string;
  readonly part: string;
  readonly id: number;
}

/** What evaluations depend on, of all that a feature has regardless of environments. */
const evaluatedPart = (alias: string) =>
  sql.raw(
    `${alias}.state - '{description,type,stale,owner,expiresAt,tags,links,createdAt,impressionData}'::text[]`,
  );

/**
 * The last events up to a moment that changed something which evaluations depend on. In an environment in which a
 * feature has nothing any more, it is the event that removed the last of it.
 */
export async function readLastChanges(
  db: Db,
  { eventId, features, environments, segments }: Evaluated,
): Promise<LastChanges> {
  const { rows } = await sql<LastChange>`
    select 'feature' as kind, named.key, '' as part, last.id
    from unnest(${features}::text[]) named(key)
    cross join lateral (
      select states.from_id as id from history_states states
      where states.kind = 'feature' and states.key = named.key and states.from_id <= ${eventId}
        and ${evaluatedPart('states')} is distinct from (
          select ${evaluatedPart('before')} from history_states before
          where before.kind = 'feature' and before.key = named.key and before.to_id = states.from_id)
      order by states.from_id desc limit 1) last
    union all
    select 'feature-environment', named.key, place.part, last.id
    from unnest(${features}::text[]) named(key)
    cross join unnest(${environments}::text[]) place(part)
    cross join lateral (
      select case when states.to_id <= ${eventId} then states.to_id else states.from_id end as id
      from history_states states
      where states.kind = 'feature-environment' and states.key = named.key
        and states.part = place.part and states.from_id <= ${eventId}
      order by states.from_id desc limit 1) last
    union all
    select 'segment', states.key, '', states.from_id from history_states states
    where states.kind = 'segment' and states.key = any(${segments.map(String)}::text[])
      and int8range(states.from_id, states.to_id) @> ${eventId}::bigint`.execute(db);
  const keyOf = (kind: LastChange['kind'], key: string, part = '') =>
    JSON.stringify([kind, key, part]);
  const ids = new Map(rows.map(({ kind, key, part, id }) => [keyOf(kind, key, part), id]));
  return {
    ofFeature: (name) => ids.get(keyOf('feature', name)),
    inEnvironment: (feature, environment) =>
      ids.get(keyOf('feature-environment', feature, environment)),
    ofSegment: (id) => ids.get(keyOf('segment', String(id))),
  };
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
