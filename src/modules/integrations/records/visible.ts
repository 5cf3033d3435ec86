import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../platform/db/database.ts';
import { isEventSeen } from '../../events/index.ts';

/** Deliveries `d` whose event a reader may know of, as in the log: of a project that is seen, as it is now. */
export const visibleTo = (sees: Actor['sees']): RawBuilder<boolean> =>
  isEventSeen(sees, 'd.project', 'd.event_id');

/** Whether the integration of a delivery `d`, as it is now, may still tell of what it tells of. */
export const mayBeTold = sql<boolean>`exists (
  select from integrations i left join projects p on p.id = d.project
  where i.id = d.integration_id
    and (i.tells_private or d.project = any(i.projects) or p.mode <> 'private'))`;

/** An event that retention removed takes its record along, from that moment on; `prune` deletes it later. */
export const eventIsKept = sql<boolean>`d.event_id > (select anchor_id from event_log)`;
