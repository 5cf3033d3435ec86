import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import { countingTypes, type PastEvent, type Present, type Review } from './replay.ts';

const milliseconds = (column: string) =>
  sql<number>`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;

/** The features that were in a project at some time since an event. */
interface Part {
  readonly project: string;
  readonly since: number;
}

/** Reads the present state of features, feature types and projects, or of a part of the features. */
export async function readPresent(db: Db, part?: Part): Promise<Present> {
  const features = await db
    .selectFrom('features as f')
    .leftJoin('feature_reviews as review', 'review.feature_name', 'f.name')
    .$if(part !== undefined, (query) =>
      query.where(({ eb, or }) =>
        or([
          eb('f.project', '=', part?.project as string),
          sql<boolean>`f.name in (select feature_name from events
            where id > ${part?.since} and type = 'feature-project-change')`,
        ]),
      ),
    )
    .select([
      'f.name',
      'f.project',
      'f.type',
      'f.stale',
      milliseconds('f.created_at').as('createdAt'),
      sql<boolean>`f.archived_at is not null`.as('archived'),
      'review.permanent',
      milliseconds('review.snoozed_until').as('snoozedUntil'),
    ])
    .execute();
  const types = await db.selectFrom('feature_types').select(['id', 'lifetime_days']).execute();
  const archivedProjects = await db
    .selectFrom('projects')
    .where('archived_at', 'is not', null)
    .select('id')
    .execute();
  const present: Present = {
    active: new Map(),
    archived: new Map(),
    lifetimes: new Map(types.map(({ id, lifetime_days }) => [id, lifetime_days])),
    archivedProjects: new Set(archivedProjects.map(({ id }) => id)),
  };
  for (const { name, archived, permanent, snoozedUntil, ...state } of features) {
    const review = permanent === null ? null : { permanent, snoozedUntil };
    present[archived ? 'archived' : 'active'].set(name, { ...state, review });
  }
  return present;
}

/** Lists all projects, or one, with their creation times. */
export const listProjectCreations = (db: Db, project?: string) =>
  db
    .selectFrom('projects')
    .$if(project !== undefined, (query) => query.where('id', '=', project as string))
    .select(['id', milliseconds('created_at').as('createdAt')])
    .execute();

interface LogBounds {
  /** The id of the last event that retention removed. */
  readonly anchor: number;
  readonly head: number;
  /** The last event of each day that has events. */
  readonly days: readonly { readonly day: string; readonly lastId: number }[];
}

export async function readLogBounds(db: Db, upTo: string): Promise<LogBounds> {
  const { rows } = await sql<LogBounds>`
    select anchor_id as anchor, coalesce((select max(id) from events), anchor_id) as head,
      (
        select coalesce(json_agg(json_build_object('day', day, 'lastId', last_id) order by day), '[]')
        from event_days where day <= ${upTo}::date
      ) as days
    from event_log`.execute(db);
  return rows[0] as LogBounds;
}

interface Row extends Omit<PastEvent, 'review'> {
  readonly review: { readonly permanent?: boolean; readonly snoozedUntil?: string | null } | null;
  readonly tellsReview: boolean;
}

const reviewBefore = ({ review, tellsReview }: Row): Review | null | undefined => {
  if (!tellsReview) return undefined;
  if (!review) return null;
  const { permanent = false, snoozedUntil } = review;
  return { permanent, snoozedUntil: snoozedUntil ? Date.parse(snoozedUntil) : null };
};

/** Ids have no gaps, so a page is a short range of the primary key. */
const pageSize = 10_000;

/** Earlier events of features with the same name. */
const earlier = sql`from events e where e.feature_name = events.feature_name and e.id < events.id`;

/**
 * Yields the events in an id range that change the counts, newest first, page by page. The event of a move out of a
 * private project does not name that project, and the event of a deletion does not contain the feature's review: both
 * are read from earlier events.
 */
export async function* pagesBack(
  db: Db,
  { after, upTo, size = pageSize }: { after: number; upTo: number; size?: number },
): AsyncGenerator<PastEvent[]> {
  for (let last = upTo; last > after; last -= size) {
    const { rows } = await sql<Row>`
      select type, project, feature_name as "featureName",
        json_build_object('type', pre_data->'type', 'stale', pre_data->'stale',
          'createdAt', pre_data->'createdAt', 'id', pre_data->'id',
          'lifetimeDays', pre_data->'lifetimeDays') as before,
        case when type = 'feature-project-change' then coalesce(data->>'oldProject',
          (select e.project ${earlier} and e.project is not null order by e.id desc limit 1)
        ) end as "oldProject",
        case type
          when 'feature-deleted' then (
            select e.data->'review' ${earlier} and e.type = 'feature-metadata-updated'
              and e.data->'review' is not null
              and e.id > coalesce((select max(e.id) ${earlier} and e.type = 'feature-deleted'), 0)
            order by e.id desc limit 1)
          when 'feature-metadata-updated' then pre_data->'review'
        end as review,
        type = 'feature-deleted' or data->'review' is not null or pre_data->'review' is not null
          as "tellsReview"
      from events
      where id > ${Math.max(after, last - size)} and id <= ${last}
        and type = any(${countingTypes}::text[])
      order by id desc`.execute(db);
    yield rows.map((row) => ({ ...row, review: reviewBefore(row) }));
  }
}
