import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../platform/db/database.ts';

/**
 * Whether an event tells of the project as it is now, and not of an earlier one of the same name, by the columns that
 * hold its project and its id. A project that was deleted a moment ago tells nothing.
 */
export const isOwn = (project: string, id: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from projects own where own.id = ${sql.ref(project)} and own.first_event_id <= ${sql.ref(id)})`;

/**
 * Whether somebody may know of an event: it tells of a project that they see, as it is now. Events without a project,
 * and those of an earlier project of the same name, are for administrators.
 */
export const isEventSeen = (
  sees: Actor['sees'],
  project: string,
  id: string,
): RawBuilder<boolean> =>
  sees === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`(${sql.ref(project)} = any(${[...sees]}::text[]) and ${isOwn(project, id)})`;

/** From which event on the log tells of a project as it is now. */
export const firstEventIn = (project: string): RawBuilder<number> => sql<number>`
  (select own.first_event_id from projects own where own.id = ${project})`;
