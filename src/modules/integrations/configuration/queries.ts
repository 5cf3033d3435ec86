import { type SelectQueryBuilder, sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Database, Db, Tx } from '../../../platform/db/database.ts';
import type { EventTag } from '../../events/index.ts';
import { currentProjects, deletedPrivate, visibleTo } from '../deliveries/visible.ts';
import type { Parameters } from '../providers/provider.ts';
import type { IntegrationProblem } from '../tables.ts';
import type { Responsible } from './responsible.ts';

/** The changeable fields of an integration, as stored. */
export interface IntegrationConfiguration {
  readonly provider: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly parameters: Parameters;
  readonly secretNames: string[];
  readonly events: string[];
  readonly projects: string[];
  readonly environments: string[];
  readonly tags: EventTag[];
  readonly inOrder: boolean;
  readonly retentionDays: number;
  readonly responsible: Responsible;
  /** The last event when the project filter was set. */
  readonly namedAfter: number;
}

export interface StoredIntegration extends IntegrationConfiguration {
  readonly id: number;
  readonly secrets: Buffer | null;
  readonly createdAt: Date;
  readonly pausedAt: Date | null;
  readonly heldUntil: Date | null;
  readonly trouble: IntegrationProblem | null;
  /** Projects in the filter that still exist, archived ones too. A project that was created again is another one. */
  readonly currentProjects: string[];
  /** Deleted projects in the filter that were private. */
  readonly deletedPrivate: string[];
}

/** A summary of deliveries. */
interface DeliverySummary {
  readonly pending: number;
  readonly oldestPendingAt: Date | null;
  readonly nextAt: Date | null;
  readonly givenUp: number;
  /** Why the newest failed delivery waits for another attempt. */
  readonly lastError: string | null;
  /** The newest attempted deliveries of the last 24 hours. */
  readonly attempted: number;
  readonly succeeded: number;
  readonly lastAttemptAt: Date | null;
  /** Whether the reader may see the event of the trouble. */
  readonly isTroubleVisible: boolean;
}

const columns = [
  'i.id',
  'i.provider',
  'i.description',
  'i.enabled',
  'i.parameters',
  'i.secrets',
  'i.secret_names as secretNames',
  'i.events',
  'i.projects',
  'i.environments',
  'i.tags',
  'i.in_order as inOrder',
  'i.retention_days as retentionDays',
  'i.named_after as namedAfter',
  'i.created_at as createdAt',
  'i.paused_at as pausedAt',
  'i.held_until as heldUntil',
  'i.trouble',
] as const;

export const responsible = sql<Responsible>`json_strip_nulls(json_build_object(
  'kind', i.responsible_kind, 'id', i.responsible_id))`.as('responsible');

const selectActive = (db: Db) =>
  db
    .selectFrom('integrations as i')
    .where('i.deleted_at', 'is', null)
    .select(columns)
    .select(responsible)
    .orderBy('i.id');

export const listStoredIntegrations = (db: Db) => selectActive(db).execute();

const dayMs = 24 * 3_600_000;
/** Enough for a success rate, and read in a few milliseconds. */
const mostRecent = 1_000;

const isPending = (sees: Actor['sees']) =>
  sql`d.integration_id = i.id and d.next_at is not null and ${visibleTo(sees)}`;

/** Whether the reader may see the event of the trouble. */
const isTroubleVisible = (sees: Actor['sees']) =>
  sees === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from deliveries d
        where d.id = (i.trouble->>'recordId')::uuid and ${visibleTo(sees)})`;

/** Adds a summary of the deliveries that the reader may see. */
const withDeliverySummary = <Row>(
  query: SelectQueryBuilder<Database & { i: Database['integrations'] }, 'i', Row>,
  sees: Actor['sees'],
  now: Date,
) => {
  const recent = sql`(select d.outcome from deliveries d
    where d.integration_id = i.id and d.outcome is not null and ${visibleTo(sees)}
      and d.created_at > ${new Date(now.getTime() - dayMs)}
    order by d.created_at desc, d.event_id desc limit ${sql.lit(mostRecent)}) as recent`;
  const pending = isPending(sees);
  return query.select([
    currentProjects.as('currentProjects'),
    deletedPrivate.as('deletedPrivate'),
    sql<number>`(select count(*) from deliveries d where ${pending})`.as('pending'),
    sql<Date | null>`(select d.created_at from deliveries d where ${pending}
      order by d.event_id limit 1)`.as('oldestPendingAt'),
    // Only unclaimed deliveries: claimed ones are being sent, and are not in the index.
    sql<Date | null>`(select d.next_at from deliveries d where ${pending} and d.owner is null
      order by d.next_at limit 1)`.as('nextAt'),
    sql<number>`(select count(*) from deliveries d where d.integration_id = i.id
      and d.outcome = 'failed' and d.next_at is null and ${visibleTo(sees)})`.as('givenUp'),
    sql<string | null>`(select d.state_details from deliveries d where ${pending}
      and d.outcome = 'failed' order by d.created_at desc, d.event_id desc limit 1)`.as(
      'lastError',
    ),
    sql<number>`(select count(*) from ${recent})`.as('attempted'),
    sql<number>`(select count(*) from ${recent} where outcome <> 'failed')`.as('succeeded'),
    // One step in the index for each outcome, however many deliveries wait for their first attempt.
    sql<Date | null>`(select max(newest.attempted_at)
      from unnest(array['success', 'successWithErrors', 'failed']) as of_kind(outcome)
      cross join lateral (select d.attempted_at from deliveries d
        where d.integration_id = i.id and d.outcome = of_kind.outcome and ${visibleTo(sees)}
        order by d.created_at desc, d.event_id desc limit 1) as newest)`.as('lastAttemptAt'),
    isTroubleVisible(sees).as('isTroubleVisible'),
  ]);
};

/** The project filters of the integrations that the UI shows as failing. */
export const listFailing = (db: Db, { sees }: Pick<Actor, 'sees'>, now: Date) =>
  db
    .selectFrom('integrations as i')
    .where('i.deleted_at', 'is', null)
    .where('i.enabled', '=', true)
    .where('i.paused_at', 'is', null)
    .where(({ eb, or }) => or([eb('i.held_until', 'is', null), eb('i.held_until', '<=', now)]))
    .where(
      sql<boolean>`(i.trouble is not null and ${isTroubleVisible(sees)} or exists (
        select from deliveries d where ${isPending(sees)}
          and d.outcome = 'failed' and d.state_details <> ''))`,
    )
    .select([
      'i.projects',
      currentProjects.as('currentProjects'),
      deletedPrivate.as('deletedPrivate'),
    ])
    .execute();

export type IntegrationWithSummary = StoredIntegration & DeliverySummary;

export const listIntegrations = (
  db: Db,
  { sees }: Pick<Actor, 'sees'>,
  now: Date,
): Promise<IntegrationWithSummary[]> => withDeliverySummary(selectActive(db), sees, now).execute();

export const findIntegration = (
  db: Db,
  { sees }: Pick<Actor, 'sees'>,
  id: number,
  now: Date,
): Promise<IntegrationWithSummary | undefined> =>
  withDeliverySummary(selectActive(db), sees, now).where('i.id', '=', id).executeTakeFirst();

export const lockIntegration = (tx: Tx, id: number): Promise<StoredIntegration | undefined> =>
  selectActive(tx.db)
    .select([currentProjects.as('currentProjects'), deletedPrivate.as('deletedPrivate')])
    .where('i.id', '=', id)
    .forNoKeyUpdate('i')
    .executeTakeFirst();

export const lockSealedIntegrations = (tx: Tx) =>
  selectActive(tx.db).where('i.secrets', 'is not', null).forNoKeyUpdate('i').execute();

/** Deleted ones count: some of their deliveries may not have ended yet. */
export async function hasIntegrations(db: Db): Promise<boolean> {
  const found = await db.selectFrom('integrations').select('id').limit(1).executeTakeFirst();
  return found !== undefined;
}

/** The caller has locked all changes of integrations. */
export async function countIntegrations(tx: Tx): Promise<number> {
  const { count } = await tx.db
    .selectFrom('integrations')
    .where('deleted_at', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

const valuesOf = (configuration: IntegrationConfiguration) => ({
  provider: configuration.provider,
  description: configuration.description,
  enabled: configuration.enabled,
  parameters: JSON.stringify(configuration.parameters),
  secret_names: configuration.secretNames,
  events: configuration.events,
  projects: configuration.projects,
  environments: configuration.environments,
  tags: JSON.stringify(configuration.tags),
  in_order: configuration.inOrder,
  retention_days: configuration.retentionDays,
  responsible_kind: configuration.responsible.kind,
  responsible_id: 'id' in configuration.responsible ? configuration.responsible.id : null,
  named_after: configuration.namedAfter,
});

/** Without secrets: they are sealed with the id that is generated here. */
export async function insertIntegration(
  tx: Tx,
  configuration: IntegrationConfiguration,
): Promise<number> {
  const { id } = await tx.db
    .insertInto('integrations')
    .values({ ...valuesOf(configuration), created_at: tx.now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const updateIntegration = (tx: Tx, id: number, configuration: IntegrationConfiguration) =>
  tx.db.updateTable('integrations').set(valuesOf(configuration)).where('id', '=', id).execute();

/** A new URL does not wait for the pause that the old receiver asked for. */
export const clearHeldUntil = (tx: Tx, id: number) =>
  tx.db.updateTable('integrations').set({ held_until: null }).where('id', '=', id).execute();

export const updateSecrets = (tx: Tx, id: number, secrets: Buffer | null) =>
  tx.db.updateTable('integrations').set({ secrets }).where('id', '=', id).execute();

export const updatePaused = (tx: Tx, id: number, pausedAt: Date | null) =>
  tx.db.updateTable('integrations').set({ paused_at: pausedAt }).where('id', '=', id).execute();

export const updateGone = (tx: Tx, id: number, trouble: IntegrationProblem) =>
  tx.db
    .updateTable('integrations')
    .set({ enabled: false, trouble: JSON.stringify(trouble) })
    .where('id', '=', id)
    .execute();

/** Clears the configuration at once. The records are deleted later, in small batches. */
export const updateDeleted = (tx: Tx, id: number) =>
  tx.db
    .updateTable('integrations')
    .set({ deleted_at: tx.now, parameters: '{}', secrets: null, secret_names: [] })
    .where('id', '=', id)
    .execute();

/** Locks the existing projects among these ids until the transaction ends. */
export async function lockProjects(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.db
    .selectFrom('projects')
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .where('archived_at', 'is', null)
    .select('id')
    .orderBy('id')
    .forKeyShare()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Locks the existing environments among these names. */
export async function lockEnvironments(
  tx: Tx,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.db
    .selectFrom('environments')
    .where(sql<boolean>`name = any(${names}::text[])`)
    .select('name')
    .orderBy('name')
    .forKeyShare()
    .execute();
  return new Set(rows.map(({ name }) => name));
}
