import { sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { instantText } from '../../../platform/db/instant-text.ts';
import { eventJson, isEventVisible } from '../../events/index.ts';
import type { LoggedEvent } from '../fold.ts';

export interface IncidentEvent extends LoggedEvent {
  /** As the event log shows it. */
  readonly json: string;
}

interface Wanted extends Pick<Actor, 'sees'> {
  readonly after: number;
  readonly upTo: number;
  readonly environment: string;
  readonly project: string | undefined;
  readonly showsAddresses: boolean;
  readonly limit: number;
}

/** More characters of events than this are not read. */
const maxCharacters = 8_000_000;

/** The visible events that concern an environment, or all environments. Undefined if they are too large. */
export async function listIncidentEvents(
  db: Db,
  wanted: Wanted,
): Promise<IncidentEvent[] | undefined> {
  const { after, upTo, environment, project, sees, showsAddresses, limit } = wanted;
  const { rows } = await sql<IncidentEvent & { readonly characters: number }>`
    select * from (
      select found.*, sum(length(found.json)) over (order by found.id)::float8 as characters
      from (
        select e.id, e.type, ${instantText('e.created_at')} as "createdAt", e.project, e.environment,
          e.feature_name as "featureName", e.data, e.pre_data as "preData",
          ${eventJson({ ip: showsAddresses, proof: false })} as json
        from events e
        where e.id > ${after} and e.id <= ${upTo}
          and (e.environment is null or e.environment = ${environment})
          and ${project === undefined ? sql`true` : sql`e.project = ${project}`}
          and ${isEventVisible(sees, 'e.project', 'e.id')}
        order by e.id limit ${limit}) found) measured
    where characters - length(json) <= ${maxCharacters}
    order by id`.execute(db);
  return (rows.at(-1)?.characters ?? 0) > maxCharacters ? undefined : rows;
}

/** The features with a strategy in an environment that used one of these segments after an event. */
export async function listUsers(
  db: Db,
  {
    segments,
    environment,
    eventId,
  }: {
    readonly segments: readonly string[];
    readonly environment: string;
    readonly eventId: number;
  },
): Promise<readonly { readonly segment: string; readonly feature: string }[]> {
  if (segments.length === 0) return [];
  const { rows } = await sql<{ segment: string; feature: string }>`
    select distinct used.id as segment, states.key as feature
    from history_states states
    cross join jsonb_path_query(states.state, '$.strategies[*].segments[*]') item
    cross join lateral (select item #>> '{}' as id) used
    where int8range(states.from_id, states.to_id) @> ${eventId}::bigint
      and states.kind = 'feature-environment' and states.part = ${environment}
      and used.id = any(${segments}::text[])`.execute(db);
  return rows;
}

interface Hidden {
  /** Features that are in a project today which the actor doesn't see. */
  readonly features: readonly string[];
  /** Segments that are in such a project today, by their ID. */
  readonly segments: readonly string[];
  /** Projects that began after the event, under an ID that an earlier project had. */
  readonly projects: readonly string[];
}

/** What the actor doesn't see today, of these features and segments. */
export async function readHidden(
  db: Db,
  sees: Exclude<Actor['sees'], 'all'>,
  {
    names,
    segments,
    eventId,
  }: {
    readonly names: readonly string[];
    readonly segments: readonly string[];
    readonly eventId: number;
  },
): Promise<Hidden> {
  const { rows } = await sql<Hidden>`
    select array(
        select name from features
        where name = any(${names}::text[]) and not (project = any(${[...sees]}::text[]))
      ) as features,
      array(
        select id::text from segments
        where id::text = any(${segments}::text[]) and not (project = any(${[...sees]}::text[]))
      ) as segments,
      array(select id from projects where first_event_id > ${eventId}) as projects`.execute(db);
  return rows[0] as Hidden;
}
