import { type RawBuilder, sql } from 'kysely';
import type { Sight } from '../configuration/responsible.ts';

/** Who may be told of an event: by its project as it is now, or as it was when it was deleted. */
export interface Visibility {
  readonly project: string | null;
  /** Whether the project is known to everybody. What lies in no project is for those who see everything. */
  readonly isOpen: boolean;
  /** Whether the event belongs to the project that has the name now: a deleted one may have had it before. */
  readonly isCurrent: boolean;
}

export const mayTell = (
  { sees }: Pick<Sight, 'sees'>,
  { project, isOpen, isCurrent }: Visibility,
): boolean => isOpen || sees === 'all' || (isCurrent && project !== null && sees.has(project));

type Column = RawBuilder<unknown>;

/**
 * The mode in which the project of an event was deleted; null: it was not. An array instead of a limit: with one,
 * PostgreSQL reads the log from the event on, and not the few deletions behind it.
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

/** `mayTell` for deliveries `d`. */
export const mayTellInSql = ({ sees }: Pick<Sight, 'sees'>): RawBuilder<boolean> => {
  if (sees === 'all') return sql<boolean>`true`;
  const [project, eventId] = [sql`d.project`, sql`d.event_id`];
  return sql<boolean>`(${isOpenInSql(project, eventId)}
    or (d.project = any(${[...sees]}::text[]) and ${isCurrentInSql(project, eventId)}))`;
};

/** What the record of a delivery says that was not made, because nobody who may know lets it be told. */
export const notToldAnyMore =
  'Not sent: the account that last changed the integration may not see what it tells of. Saved again by somebody who may, it can be delivered.';
