import type { LightMyRequestResponse } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../src/platform/db/database.ts';

/** The events that one request recorded, in order. */
export const recordedBy = (db: Kysely<Database>, response: LightMyRequestResponse) =>
  db
    .selectFrom('events')
    .where('request_id', '=', String(response.headers['x-request-id']))
    .select(['type', 'project', 'environment', 'data', 'pre_data as preData'])
    .orderBy('id')
    .execute();

/** The number of events, which a request that records nothing does not change. */
export const countEvents = async (db: Kysely<Database>): Promise<number> => {
  const { count } = await db
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

/** The number of events of this type for a feature. */
export const countEventsAbout = async (
  db: Kysely<Database>,
  feature: string,
  type: string,
): Promise<number> => {
  const events = await db
    .selectFrom('events')
    .where('feature_name', '=', feature)
    .where('type', '=', type)
    .select('id')
    .execute();
  return events.length;
};

/** The events of a feature since its creation, in order. */
export const recordedSinceCreation = (db: Kysely<Database>, feature: string) =>
  db
    .selectFrom('events')
    .where('feature_name', '=', feature)
    .where('type', '<>', 'feature-created')
    .select(['type', 'environment', 'data', 'pre_data as preData'])
    .orderBy('id')
    .execute();
