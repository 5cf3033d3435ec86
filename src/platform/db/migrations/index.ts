import type { Migration } from 'kysely';
import * as events from './0001-events.ts';
import * as access from './0002-access.ts';
import * as environments from './0003-environments.ts';
import * as projects from './0004-projects.ts';
import * as signingKeys from './0005-signing-keys.ts';

/** In the order of their names; a merged migration is never edited. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-events': events,
  '0002-access': access,
  '0003-environments': environments,
  '0004-projects': projects,
  '0005-signing-keys': signingKeys,
};
