import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { eventJson } from '../../../events/index.ts';
import { nameOwners, ownerNamesOfEvent } from '../../../flags/features/index.ts';
import type { IntegrationEvent, Message } from '../../providers/provider.ts';
import { isCurrentInSql, isOpenInSql, type Visibility } from '../visibility.ts';

export interface PendingEvent extends Visibility {
  readonly event: IntegrationEvent;
}

interface EventRange {
  readonly after: number;
  readonly upTo: number;
  readonly types: readonly string[];
  readonly limit: number;
}

/** Events that some integration may match, oldest first. */
export async function listPendingEvents(
  db: Db,
  { after, upTo, types, limit }: EventRange,
): Promise<PendingEvent[]> {
  const rows = await db
    .selectFrom('events as e')
    .where('e.id', '>', after)
    .where('e.id', '<=', upTo)
    .where(sql<boolean>`e.type = any(${types}::text[])`)
    // History from another installation: its receivers were told there.
    .where(sql<boolean>`(e.data -> 'importedId') is null`)
    .orderBy('e.id')
    .limit(limit)
    .select([
      eventJson({ ip: false, proof: false }).as('json'),
      ownerNamesOfEvent.as('ownerNames'),
      'e.project',
      isOpenInSql(sql`e.project`, sql`e.id`).as('isOpen'),
      isCurrentInSql(sql`e.project`, sql`e.id`).as('isCurrent'),
    ])
    .execute();
  return rows.map(({ json, ownerNames, ...visibility }) => {
    const event = JSON.parse(json) as IntegrationEvent;
    return { event: { ...event, summary: nameOwners(event.summary, ownerNames) }, ...visibility };
  });
}

export interface Deletion {
  readonly eventId: number;
  readonly project: string;
}

/** Deletions of projects with these ids, oldest first. */
export async function listDeletions(
  db: Db,
  projects: readonly string[],
  after: number,
): Promise<Deletion[]> {
  return (
    db
      .selectFrom('events')
      .where('type', '=', 'project-deleted')
      .where(sql<boolean>`project = any(${projects}::text[])`)
      // A deletion in the history of another installation did not happen here.
      .where(sql<boolean>`(data -> 'importedId') is null`)
      .where('id', '>', after)
      .select(['id as eventId', sql<string>`project`.as('project')])
      .orderBy('id')
      .execute()
  );
}

/** A delivery, claimed by the instance that sends it at once or by none yet. */
export interface NewDelivery {
  readonly id: string;
  readonly integrationId: number;
  readonly eventId: number;
  readonly eventType: string;
  readonly project: string | null;
  readonly message: Message;
  readonly owner: number | null;
  /** Why there is no message to send; null: there is one. */
  readonly problem: string | null;
}

/** Rows come as JSON, because the caller already stringified them to limit the batch size. */
export async function insertDeliveries(
  tx: Tx,
  texts: readonly string[],
  leasedUntil: Date,
): Promise<void> {
  const rows = sql<Omit<NewDelivery, 'message'> & { message: string }>`
    json_to_recordset(${`[${texts.join(',')}]`}::json)`.as<'r'>(
    sql`r(id uuid, "integrationId" int, "eventId" bigint, "eventType" text, project text,
      message json, owner int, problem text)`,
  );
  await tx.db
    .insertInto('deliveries')
    .columns([
      'id',
      'integration_id',
      'event_id',
      'event_type',
      'project',
      'created_at',
      'message',
      'state',
      'next_at',
      'tries',
      'fence',
      'owner',
      'leased_until',
      'outcome',
      'state_details',
      'attempts',
    ])
    .expression(({ selectFrom }) =>
      selectFrom(rows).select([
        'r.id',
        'r.integrationId',
        'r.eventId',
        'r.eventType',
        'r.project',
        sql<Date>`${tx.now}::timestamptz`.as('created_at'),
        'r.message',
        sql<'pending'>`case when r.problem is null then 'pending' else 'givenUp' end`.as('state'),
        sql<Date>`case when r.problem is null then ${tx.now}::timestamptz end`.as('next_at'),
        sql<number>`0`.as('tries'),
        sql<number>`case when r.owner is null then 0 else 1 end`.as('fence'),
        'r.owner',
        sql<Date>`case when r.owner is not null then ${leasedUntil}::timestamptz end`.as('lease'),
        sql<'failed'>`case when r.problem is not null then 'failed' end`.as('outcome'),
        sql<string>`coalesce(r.problem, '')`.as('state_details'),
        sql<string>`'[]'::jsonb`.as('attempts'),
      ]),
    )
    .execute();
}
