import type { Migration } from 'kysely';
import * as events from './0001-events.ts';
import * as access from './0002-access.ts';

/** In the order of their names; a merged migration is never edited. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-events': events,
  '0002-access': access,
};
