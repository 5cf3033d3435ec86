import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../platform/db/database.ts';

/** Deliveries `d` whose event a reader may know of: one without a project, or of a project that is seen. */
export const visibleTo = (sees: Actor['sees']): RawBuilder<boolean> =>
  sees === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`(d.project is null or d.project = any(${[...sees]}::text[]))`;

/** An event that retention removed takes its record along, from that moment on; `prune` deletes it later. */
export const eventIsKept = sql<boolean>`d.event_id > (select anchor_id from event_log)`;
