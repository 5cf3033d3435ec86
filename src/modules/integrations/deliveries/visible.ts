import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import { isEventVisible } from '../../events/index.ts';
import { modeAtDeletion } from '../delivery/visibility.ts';

/** Deliveries `d` whose event the reader may see, by the same rule as in the event log. */
export const visibleTo = (sees: Actor['sees']): RawBuilder<boolean> =>
  isEventVisible(sees, 'd.project', 'd.event_id');

/**
 * The projects in the filter of an integration `i` that were neither deleted nor created again since the filter was
 * set.
 */
export const currentProjects = sql<string[]>`array(
  select p.id from projects p
  where p.id = any(i.projects) and p.first_event_id <= i.named_after)`;

/** The projects in the filter that were private when they were deleted. Only administrators may see their names. */
export const deletedPrivate = sql<string[]>`array(
  select named.id from unnest(i.projects) as named(id)
  where ${modeAtDeletion(sql`named.id`, sql`i.named_after`)} = 'private')`;

/** Records of events that retention removed are hidden at once; `prune` deletes them later. */
export const isEventInLog = sql<boolean>`d.event_id > (select anchor_id from event_log)`;
