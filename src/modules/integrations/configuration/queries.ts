import { type SelectQueryBuilder, sql } from 'kysely';
import type { Actor, Database, Db, Tx } from '../../../platform/db/database.ts';
import type { EventTag } from '../../events/index.ts';
import type { Parameters } from '../providers/provider.ts';
import { deletedPrivate, knownProjects, visibleTo } from '../records/visible.ts';
import type { Trouble } from '../tables.ts';
import type { Responsible } from './responsible.ts';

/** What can be changed of an integration, as it is stored. */
export interface IntegrationDraft {
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
  /** The last event when the projects were named. */
  readonly namedAfter: number;
}

export interface StoredIntegration extends IntegrationDraft {
  readonly id: number;
  readonly secrets: Buffer | null;
  readonly createdAt: Date;
  readonly pausedAt: Date | null;
  readonly heldUntil: Date | null;
  readonly trouble: Trouble | null;
  /** Those of its projects that there still are, archived ones too. One that was made anew is another one. */
  readonly knownProjects: string[];
  /** Those of the others that were private when they were deleted. */
  readonly deletedPrivate: string[];
}

/** What is still to be told, at a glance. */
interface Glance {
  readonly pending: number;
  readonly oldestPendingAt: Date | null;
  readonly nextAt: Date | null;
  readonly givenUp: number;
  /** Why the newest of those that failed waits for another attempt. */
  readonly lastError: string | null;
  /** Whether the reader may know of the event that is in trouble. */
  readonly isTroubleSeen: boolean;
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

const selectLiving = (db: Db) =>
  db
    .selectFrom('integrations as i')
    .where('i.deleted_at', 'is', null)
    .select(columns)
    .select(responsible)
    .orderBy('i.id');

export const listStoredIntegrations = (db: Db) => selectLiving(db).execute();

/** What is pending, as far as the reader may know what it tells of. */
const withGlance = <Row>(
  query: SelectQueryBuilder<Database & { i: Database['integrations'] }, 'i', Row>,
  sees: Actor['sees'],
) => {
  const pending = sql`d.integration_id = i.id and d.next_at is not null and ${visibleTo(sees)}`;
  return query.select([
    knownProjects.as('knownProjects'),
    deletedPrivate.as('deletedPrivate'),
    sql<number>`(select count(*) from deliveries d where ${pending})`.as('pending'),
    sql<Date | null>`(select d.created_at from deliveries d where ${pending}
      order by d.event_id limit 1)`.as('oldestPendingAt'),
    // Nobody's yet: what is being sent is not tried next, and only the others are in the index.
    sql<Date | null>`(select d.next_at from deliveries d where ${pending} and d.owner is null
      order by d.next_at limit 1)`.as('nextAt'),
    sql<number>`(select count(*) from deliveries d where d.integration_id = i.id
      and d.outcome = 'failed' and d.next_at is null and ${visibleTo(sees)})`.as('givenUp'),
    sql<string | null>`(select d.state_details from deliveries d where ${pending}
      and d.outcome = 'failed' order by d.created_at desc, d.event_id desc limit 1)`.as(
      'lastError',
    ),
    (sees === 'all'
      ? sql<boolean>`true`
      : sql<boolean>`exists (select from deliveries d
          where d.id = (i.trouble->>'recordId')::uuid and ${visibleTo(sees)})`
    ).as('isTroubleSeen'),
  ]);
};

export type GlancedIntegration = StoredIntegration & Glance;

export const listIntegrations = (
  db: Db,
  { sees }: Pick<Actor, 'sees'>,
): Promise<GlancedIntegration[]> => withGlance(selectLiving(db), sees).execute();

export const findIntegration = (
  db: Db,
  { sees }: Pick<Actor, 'sees'>,
  id: number,
): Promise<GlancedIntegration | undefined> =>
  withGlance(selectLiving(db), sees).where('i.id', '=', id).executeTakeFirst();

export const lockIntegration = (tx: Tx, id: number): Promise<StoredIntegration | undefined> =>
  selectLiving(tx.db)
    .select([knownProjects.as('knownProjects'), deletedPrivate.as('deletedPrivate')])
    .where('i.id', '=', id)
    .forNoKeyUpdate('i')
    .executeTakeFirst();

export const lockSealedIntegrations = (tx: Tx) =>
  selectLiving(tx.db).where('i.secrets', 'is not', null).forNoKeyUpdate('i').execute();

/** Whoever asks has locked all changes of integrations. */
export async function countIntegrations(tx: Tx): Promise<number> {
  const { count } = await tx.db
    .selectFrom('integrations')
    .where('deleted_at', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

const valuesOf = (draft: IntegrationDraft) => ({
  provider: draft.provider,
  description: draft.description,
  enabled: draft.enabled,
  parameters: JSON.stringify(draft.parameters),
  secret_names: draft.secretNames,
  events: draft.events,
  projects: draft.projects,
  environments: draft.environments,
  tags: JSON.stringify(draft.tags),
  in_order: draft.inOrder,
  retention_days: draft.retentionDays,
  responsible_kind: draft.responsible.kind,
  responsible_id: 'id' in draft.responsible ? draft.responsible.id : null,
  named_after: draft.namedAfter,
});

/** Without its secrets: they are sealed for the id that it gets here. */
export async function insertIntegration(tx: Tx, draft: IntegrationDraft): Promise<number> {
  const { id } = await tx.db
    .insertInto('integrations')
    .values({ ...valuesOf(draft), created_at: tx.now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const updateIntegration = (tx: Tx, id: number, draft: IntegrationDraft) =>
  tx.db.updateTable('integrations').set(valuesOf(draft)).where('id', '=', id).execute();

/** What another address is sent does not wait for the patience that the former asked for. */
export const updateUnheld = (tx: Tx, id: number) =>
  tx.db.updateTable('integrations').set({ held_until: null }).where('id', '=', id).execute();

export const updateSecrets = (tx: Tx, id: number, secrets: Buffer | null) =>
  tx.db.updateTable('integrations').set({ secrets }).where('id', '=', id).execute();

export const updatePaused = (tx: Tx, id: number, pausedAt: Date | null) =>
  tx.db.updateTable('integrations').set({ paused_at: pausedAt }).where('id', '=', id).execute();

export const updateGone = (tx: Tx, id: number, trouble: Trouble) =>
  tx.db
    .updateTable('integrations')
    .set({ enabled: false, trouble: JSON.stringify(trouble) })
    .where('id', '=', id)
    .execute();

/** Its records go later, in small batches; what it was set up with goes at once. */
export const updateDeleted = (tx: Tx, id: number) =>
  tx.db
    .updateTable('integrations')
    .set({ deleted_at: tx.now, parameters: '{}', secrets: null, secret_names: [] })
    .where('id', '=', id)
    .execute();

/** Those of the ids that are living projects; none of them goes until the transaction ends. */
export async function holdProjects(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
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

/** The same for environments. */
export async function holdEnvironments(
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
