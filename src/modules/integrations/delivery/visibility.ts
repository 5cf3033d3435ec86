import { type RawBuilder, sql } from 'kysely';
import type { AccountVisibility } from '../configuration/responsible.ts';

/** Who may see an event: decided by the mode of its project now, or when it was deleted. */
export interface Visibility {
  readonly project: string | null;
  /**
   * Whether everyone may see the project. Events without a project are visible only to accounts that see all
   * projects.
   */
  readonly isOpen: boolean;
  /** Whether the event belongs to the project that has this id now. A deleted project may have had it before. */
  readonly isCurrent: boolean;
}

export const isVisibleTo = (
  { sees }: Pick<AccountVisibility, 'sees'>,
  { project, isOpen, isCurrent }: Visibility,
): boolean => isOpen || sees === 'all' || (isCurrent && project !== null && sees.has(project));

type Column = RawBuilder<unknown>;

/**
 * The mode of the event's project when it was deleted; null: it was not. Aggregates into an array instead of `limit
 * 1`: with a limit PostgreSQL reads the whole log from the event on, not only the few deletions after it.
 */
export const modeAtDeletion = (project: Column, eventId: Column) => sql<string | null>`(
  select (array_agg(coalesce(x.pre_data->>'mode', 'private') order by x.id))[1] from events x
  where x.type = 'project-deleted' and x.project = ${project} and x.id >= ${eventId})`;

const modeNow = (project: Column, eventId: Column) => sql<string | null>`(
  select p.mode from projects p where p.id = ${project} and p.first_event_id <= ${eventId})`;

export const isOpenInSql = (project: Column, eventId: Column): RawBuilder<boolean> => sql<boolean>`
  coalesce(
    coalesce(${modeNow(project, eventId)}, ${modeAtDeletion(project, eventId)}) <> 'private', false)`;

export const isCurrentInSql = (project: Column, eventId: Column): RawBuilder<boolean> =>
  sql<boolean>`(${modeNow(project, eventId)} is not null)`;

/** `isVisibleTo` for deliveries `d`. */
export const isVisibleInSql = ({ sees }: Pick<AccountVisibility, 'sees'>): RawBuilder<boolean> => {
  if (sees === 'all') return sql<boolean>`true`;
  const [project, eventId] = [sql`d.project`, sql`d.event_id`];
  return sql<boolean>`(${isOpenInSql(project, eventId)}
    or (d.project = any(${[...sees]}::text[]) and ${isCurrentInSql(project, eventId)}))`;
};

/** What the record of a cancelled delivery says. */
export const noLongerVisible =
  "Not sent: the account that last saved the integration can't see this event. To deliver it, have someone with access save the integration, then redeliver.";
