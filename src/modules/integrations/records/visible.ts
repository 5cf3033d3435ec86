import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../platform/db/database.ts';
import { isEventVisible } from '../../events/index.ts';
import { modeAtDeletion } from '../delivery/visibility.ts';

/** Deliveries `d` whose event a reader may know of, as in the log: of a project that is seen, as it is now. */
export const visibleTo = (sees: Actor['sees']): RawBuilder<boolean> =>
  isEventVisible(sees, 'd.project', 'd.event_id');

/** Those of the projects that an integration `i` names which have not been deleted since, nor made anew. */
export const knownProjects = sql<string[]>`array(
  select p.id from projects p
  where p.id = any(i.projects) and p.first_event_id <= i.named_after)`;

/** Those that it names and that were private when they were deleted: their names are still nobody's but administrators'. */
export const deletedPrivate = sql<string[]>`array(
  select named.id from unnest(i.projects) as named(id)
  where ${modeAtDeletion(sql`named.id`, sql`i.named_after`)} = 'private')`;

/** An event that retention removed takes its record along, from that moment on; `prune` deletes it later. */
export const eventIsKept = sql<boolean>`d.event_id > (select anchor_id from event_log)`;
