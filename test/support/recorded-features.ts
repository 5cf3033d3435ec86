import type { LightMyRequestResponse } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../src/platform/db/database.ts';

/** The events that one request recorded, in order, with the properties that features add. */
export const recordedAboutFeatures = (db: Kysely<Database>, response: LightMyRequestResponse) =>
  db
    .selectFrom('events')
    .where('request_id', '=', String(response.headers['x-request-id']))
    .select([
      'type',
      'project',
      'feature_name as featureName',
      'environment',
      'data',
      'pre_data as preData',
      'tags',
    ])
    .orderBy('id')
    .execute();

/** An event without data about this feature. */
export const bare = (type: string, featureName: string, more: object = {}) => ({
  type,
  project: 'default',
  featureName,
  environment: null,
  data: null,
  preData: null,
  tags: [],
  ...more,
});
