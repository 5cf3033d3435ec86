import { sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { instantText } from '../../../platform/db/instant-text.ts';
import { eventJson, isEventVisible } from '../../events/index.ts';
import type { LoggedEvent } from '../fold.ts';

export interface Happened extends LoggedEvent {
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

/** The visible events that concern an environment, or all environments. */
export async function listHappened(db: Db, wanted: Wanted): Promise<Happened[]> {
  const { after, upTo, environment, project, sees, showsAddresses, limit } = wanted;
  const { rows } = await sql<Happened>`
    select e.id, e.type, ${instantText('e.created_at')} as "createdAt", e.project, e.environment,
      e.feature_name as "featureName", e.data, e.pre_data as "preData",
      ${eventJson({ ip: showsAddresses, proof: false })} as json
    from events e
    where e.id > ${after} and e.id <= ${upTo}
      and (e.environment is null or e.environment = ${environment})
      and ${project === undefined ? sql`true` : sql`e.project = ${project}`}
      and ${isEventVisible(sees, 'e.project', 'e.id')}
    order by e.id limit ${limit}`.execute(db);
  return rows;
}

interface Hidden {
  /** Features that are in a project today which the actor doesn't see. */
  readonly features: readonly string[];
  /** Projects that began after the event, under an ID that an earlier project had. */
  readonly projects: readonly string[];
}

/** What the actor doesn't see today, of these features. */
export async function readHidden(
  db: Db,
  sees: Exclude<Actor['sees'], 'all'>,
  { names, eventId }: { readonly names: readonly string[]; readonly eventId: number },
): Promise<Hidden> {
  const { rows } = await sql<Hidden>`
    select array(
        select name from features
        where name = any(${names}::text[]) and not (project = any(${[...sees]}::text[]))
      ) as features,
      array(select id from projects where first_event_id > ${eventId}) as projects`.execute(db);
  return rows[0] as Hidden;
}
