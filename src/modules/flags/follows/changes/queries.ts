import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../../platform/actor.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { type EventType, eventJson, isEventVisible } from '../../../events/index.ts';
import { type OwnerNames, ownerNamesOfEvent } from '../../features/index.ts';

export const lastEventId = sql<number>`(select coalesce(max(id), 0) from events)`;

/** Events that change nothing which a follower wants to know. */
export const quietTypes: readonly EventType[] = [
  'feature-favorited',
  'feature-unfavorited',
  'project-favorited',
  'project-unfavorited',
];

interface Followed extends Pick<Actor, 'sees'> {
  readonly userId: number;
  /** Which events `e` count. */
  readonly where: RawBuilder<boolean>;
  /** Which of those that the person follows count, given the `follow`. */
  readonly ofFollow?: RawBuilder<boolean>;
  /** Whether events that are addressed to the person count, too. */
  readonly direct?: boolean;
  /** How many events, the newest first. */
  readonly limit: number;
}

const isSeen = (sees: Actor['sees'], project: string) =>
  sees === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(project)} = any(${[...sees]}::text[])`;

/**
 * The newest events of what a person follows and can see now, as a query of ids. Each follow is one look into an index
 * that ends in the id, so the costs depend on the number of follows and not on the length of the log.
 */
function selectIds(followed: Followed): RawBuilder<unknown> {
  const { userId, sees, where, ofFollow = sql<boolean>`true`, direct, limit } = followed;
  const counts = sql`e.type <> all(${quietTypes}::text[]) and ${where} and ${ofFollow}`;
  const addressed = sql`
    union
    select change.id
    from (
      select e.id from event_recipients r join events e on e.id = r.event_id
      where r.user_id = ${userId} and ${isEventVisible(sees, 'e.project', 'e.id')} and ${where}
      order by r.event_id desc limit ${limit}
    ) change`;
  return sql`
    select change.id
    from feature_follows follow
    join features f on f.name = follow.feature_name
    cross join lateral (
      select e.id from events e
      where e.feature_name = f.name and ${isEventVisible(sees, 'e.project', 'e.id')} and ${counts}
      order by e.feature_name, e.id desc limit ${limit}
    ) change
    where follow.user_id = ${userId} and ${isSeen(sees, 'f.project')}
    union
    select change.id
    from project_follows follow
    join projects p on p.id = follow.project
    cross join lateral (
      select e.id from events e
      where e.project = p.id and e.id >= p.first_event_id and ${counts}
      order by e.project, e.id desc limit ${limit}
    ) change
    where follow.user_id = ${userId} and ${isSeen(sees, 'p.id')}
    ${direct ? addressed : sql``}
    order by id desc limit ${limit}`;
}

interface ChangePage extends Pick<Actor, 'sees'> {
  readonly userId: number;
  /** The page begins below this event. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** An event as JSON. */
export interface ChangeJson {
  readonly id: number;
  readonly json: string;
}

/** Whether others changed it since the person follows it. */
const isNews = (userId: number) => sql<boolean>`e.id > follow.after_id
  and e.created_by_user_id is distinct from ${userId}`;

const isBefore = (before: number | undefined) =>
  before === undefined ? sql<boolean>`true` : sql<boolean>`e.id < ${before}::bigint`;

async function listAsJson(db: Db, followed: Followed): Promise<ChangeJson[]> {
  const { rows } = await sql<ChangeJson>`
    select e.id, ${eventJson({ ip: false, proof: false })} as json
    from (${selectIds(followed)}) change join events e on e.id = change.id
    order by e.id desc`.execute(db);
  return rows;
}

export const listFollowedChanges = (db: Db, page: ChangePage): Promise<ChangeJson[]> =>
  listAsJson(db, { ...page, where: isBefore(page.before) });

export const listNotifications = (db: Db, page: ChangePage): Promise<ChangeJson[]> =>
  listAsJson(db, {
    ...page,
    where: isBefore(page.before),
    ofFollow: isNews(page.userId),
    direct: true,
  });

interface UnreadChanges extends Pick<Actor, 'sees'> {
  readonly userId: number;
  /** Where to stop counting. */
  readonly limit: number;
}

export async function countUnread(db: Db, unread: UnreadChanges): Promise<number> {
  const { userId } = unread;
  const where = sql<boolean>`e.id > coalesce(
    (select n.event_id from notification_reads n where n.user_id = ${userId}), 0)`;
  const ids = selectIds({ ...unread, where, ofFollow: isNews(userId), direct: true });
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${ids}) unread`.execute(db);
  return rows[0]?.count ?? 0;
}

interface ChangesToMail extends Pick<Actor, 'sees'> {
  readonly userId: number;
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
}

export interface MailedChange {
  readonly createdAt: Date;
  readonly summary: string;
  /** The owner of the feature, if the change is about one that the reader can see now. */
  readonly owner?: string | null;
  readonly ownerNames?: OwnerNames;
}

export async function listChangesToMail(
  db: Db,
  { after, upTo, ...followed }: ChangesToMail,
): Promise<MailedChange[]> {
  const where = sql<boolean>`e.id > ${after}::bigint and e.id <= ${upTo}::bigint`;
  const ids = selectIds({ ...followed, where, ofFollow: isNews(followed.userId) });
  const { rows } = await sql<MailedChange>`
    select e.created_at as "createdAt", e.summary,
      (
        select o.name from feature_owners o join features f on f.name = o.feature_name
        where f.name = e.feature_name and ${isSeen(followed.sees, 'f.project')}
      ) as owner,
      ${ownerNamesOfEvent} as "ownerNames"
    from (${ids}) change join events e on e.id = change.id
    order by e.id desc`.execute(db);
  return rows;
}

interface DirectChange extends Pick<Actor, 'sees'> {
  readonly userId: number;
  readonly eventId: number;
}

/** Undefined if the person can't see it now, or wants no such emails. */
export const findDirectChange = (
  db: Db,
  { userId, sees, eventId }: DirectChange,
): Promise<MailedChange | undefined> =>
  db
    .selectFrom('events as e')
    .where('e.id', '=', eventId)
    .where(isEventVisible(sees, 'e.project', 'e.id'))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('direct_emails_off').where('user_id', '=', userId).select('user_id'))),
    )
    .select(['e.created_at as createdAt', 'e.summary'])
    .executeTakeFirst();
