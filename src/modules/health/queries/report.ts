import { sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import type { effectiveStrategy, Project } from '../../projects/index.ts';
import { type AgingRows, agingColumns, daysCte } from './aging.ts';
import { type FeatureLines, featureLines, livingCtes } from './features.ts';
import {
  type FavoriteRows,
  favoriteColumns,
  type Revision,
  revisionColumns,
  seenSumOf,
} from './revision.ts';
import { instantText } from './text.ts';

interface ProjectRow
  extends Pick<
    Project,
    | 'name'
    | 'description'
    | 'mode'
    | 'defaultStickiness'
    | 'featureLimit'
    | 'createdAt'
    | 'updatedAt'
  > {
  readonly featureNaming: Partial<NonNullable<Project['featureNaming']>>;
  /** In their order. */
  readonly environments: readonly {
    readonly name: string;
    readonly type: string;
    readonly sortOrder: number;
    readonly storedStrategy: Parameters<typeof effectiveStrategy>[0];
  }[];
  /** All times at which features were last seen, as a sum, and the number of stages that they have entered. */
  readonly seenSum: string;
}

export type ReportRows = ProjectRow & Revision & FeatureLines & AgingRows & FavoriteRows;

/** A living project with all that its report tells, of one moment: one statement. */
export async function findReportRows(
  db: Db,
  {
    project,
    userId,
    now,
  }: {
    readonly project: string;
    readonly userId: number;
    readonly now: Date;
  },
): Promise<ReportRows | undefined> {
  const { rows } = await sql<ReportRows>`
    with ${livingCtes(project)}, ${daysCte(now)}
    select p.name, p.description, p.mode, p.default_stickiness as "defaultStickiness",
      p.feature_limit as "featureLimit",
      ${instantText('p.created_at')} as "createdAt",
      ${instantText(`greatest(p.updated_at, (
        select changed_at from project_access_changes changes where changes.project = p.id))`)} as "updatedAt",
      json_strip_nulls(json_build_object('pattern', p.feature_naming_pattern,
        'example', p.feature_naming_example, 'description', p.feature_naming_description)) as "featureNaming",
      (
        select coalesce(json_agg(json_build_object('name', e.name, 'type', e.type,
          'sortOrder', e.sort_order, 'storedStrategy', e.default_strategy) order by e.place), '[]')
        from surroundings e
      ) as environments,
      ${revisionColumns},
      ${seenSumOf(sql`(select sum(seen_sum) from conditions)`, sql`select name from living`)} as "seenSum",
      ${favoriteColumns(project, userId)},
      ${agingColumns(project, now)},
      ${featureLines}
    from projects p where p.id = ${project} and p.archived_at is null`.execute(db);
  return rows[0];
}
