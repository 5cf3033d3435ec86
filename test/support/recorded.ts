import type { LightMyRequestResponse } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../src/platform/db/database.ts';

/** The events that one request recorded, in their order. */
export const recordedBy = (db: Kysely<Database>, response: LightMyRequestResponse) =>
  db
    .selectFrom('events')
    .where('request_id', '=', String(response.headers['x-request-id']))
    .select(['type', 'project', 'environment', 'data', 'pre_data as preData'])
    .orderBy('id')
    .execute();

/** How many events there are: the same before and after a request that records nothing. */
export const countEvents = async (db: Kysely<Database>): Promise<number> => {
  const { count } = await db
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

/** How often something of this type happened to a feature. */
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

/** What happened to a feature since it was created, in its order. */
export const recordedSinceCreation = (db: Kysely<Database>, feature: string) =>
  db
    .selectFrom('events')
    .where('feature_name', '=', feature)
    .where('type', '<>', 'feature-created')
    .select(['type', 'environment', 'data', 'pre_data as preData'])
    .orderBy('id')
    .execute();
