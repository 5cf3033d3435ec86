import { sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { type EventTag, isEventVisible } from '../../events/index.ts';
import { responsible } from '../configuration/queries.ts';
import type { Responsible } from '../configuration/responsible.ts';
import { currentProjects, deletedPrivate } from '../deliveries/visible.ts';
import { isCurrentInSql, isOpenInSql, type Visibility } from '../delivery/visibility.ts';
import type { IntegrationEventData } from '../events.ts';

export interface EventFacts extends Visibility {
  readonly id: number;
  readonly type: string;
  readonly environment: string | null;
  readonly tags: readonly EventTag[];
  readonly createdAt: Date;
}

export async function findEventFacts(
  db: Db,
  id: number,
  sees: Actor['sees'],
): Promise<EventFacts | undefined> {
  const { rows } = await sql<EventFacts>`
    select e.id, e.type, e.project, e.environment, e.tags::json as tags, e.created_at as "createdAt",
      ${isOpenInSql(sql`e.project`, sql`e.id`)} as "isOpen",
      ${isCurrentInSql(sql`e.project`, sql`e.id`)} as "isCurrent"
    from events e where e.id = ${id} and ${isEventVisible(sees, 'e.project', 'e.id')}`.execute(db);
  return rows[0];
}

export const listIntegrationFacts = (db: Db) =>
  db
    .selectFrom('integrations as i')
    .where('i.deleted_at', 'is', null)
    .select([
      'i.id',
      'i.provider',
      'i.description',
      'i.enabled',
      sql<boolean>`i.paused_at is not null`.as('paused'),
      'i.in_order as inOrder',
      'i.held_until as heldUntil',
      'i.events',
      'i.projects',
      'i.environments',
      'i.tags',
      'i.retention_days as retentionDays',
      'i.created_at as createdAt',
      currentProjects.as('currentProjects'),
      deletedPrivate.as('deletedPrivate'),
      responsible,
    ])
    .orderBy('i.id')
    .execute();

export type IntegrationFacts = Awaited<ReturnType<typeof listIntegrationFacts>>[number];

/** The settings of an integration after an event, as the log has them. */
export type LoggedSettings = Pick<
  IntegrationEventData,
  'id' | 'enabled' | 'events' | 'projects' | 'environments' | 'tags' | 'deletedProjects'
> & { readonly responsible: Responsible };

/** The settings of each integration when an event happened. A change of an integration applies to its own event. */
export async function listSettingsAt(
  db: Db,
  eventId: number,
): Promise<ReadonlyMap<number, LoggedSettings>> {
  const { rows } = await sql<{ settings: LoggedSettings }>`
    select distinct on (e.data->>'id') e.data::json as settings from events e
    where e.type in ('addon-config-created', 'addon-config-updated') and e.id <= ${eventId}
      and e.data->>'id' is not null
      -- History from another installation is about integrations with other ids.
      and e.data->'importedFrom' is null
    order by e.data->>'id', e.id desc`.execute(db);
  return new Map(rows.map(({ settings }) => [settings.id, settings]));
}

/** The integrations that were created after an event. */
export async function listCreatedLater(db: Db, eventId: number): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select (e.data->>'id')::int as id from events e
    where e.type = 'addon-config-created' and e.id > ${eventId} and e.data->>'id' is not null
      and e.data->'importedFrom' is null`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Events up to this one are fanned out. */
export async function findFannedOut(db: Db): Promise<number> {
  const { event_id } = await db
    .selectFrom('delivery_progress')
    .select('event_id')
    .executeTakeFirstOrThrow();
  return event_id;
}
