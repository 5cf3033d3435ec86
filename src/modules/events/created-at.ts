import { sql } from 'kysely';
import { instantText } from '../../platform/db/instant-text.ts';

/**
 * The time of the event `e` as it is hashed. Years before Christ are marked: `to_char` writes them like the same years
 * after Christ, so that a moved date would have the same hash.
 */
export const createdAtText = sql<string>`(${instantText('e.created_at')} ||
  case when e.created_at < '0001-01-01T00:00:00Z'::timestamptz then ' BC' else '' end)`;
