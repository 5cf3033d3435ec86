import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import type { effectiveStrategy, Project } from '../../../catalogue/projects/index.ts';
import { type AgingRows, agingColumns, daysCte } from './aging.ts';
import { type FeatureLines, featureLines, livingCtes, strategyLines } from './features.ts';
import { type FavoriteRows, favoriteColumns, type Revision, revisionColumns } from './revision.ts';
import { instantText } from './text.ts';

interface ProjectRow
  extends Pick<
    Project,
    'name' | 'mode' | 'defaultStickiness' | 'featureLimit' | 'createdAt' | 'updatedAt'
  > {
  readonly description: string;
  readonly featureNaming: Partial<NonNullable<Project['featureNaming']>>;
  /** In their order. */
  readonly environments: readonly {
    readonly name: string;
    readonly type: string;
    readonly sortOrder: number;
    readonly storedStrategy: Parameters<typeof effectiveStrategy>[0];
  }[];
}

export type ReportRows = ProjectRow & Revision & FeatureLines & AgingRows & FavoriteRows;

/**
 * A living project with all that its report tells, of one moment: one statement. It has two rows, so that the
 * first, which is half of it all, is on its way while the other is made.
 */
export async function findReportRows(
  db: Db,
  {
    project,
    userId,
    now,
    expected,
  }: {
    readonly project: string;
    readonly userId: number;
    readonly now: Date;
    /** About how many features it has: whether to look up each of them or to read all tables depends on that. */
    readonly expected: number;
  },
): Promise<ReportRows | undefined> {
  const { rows } = await sql<ReportRows>`
    with ${livingCtes(project, expected)}, ${daysCte(now)}, rest as (
      select p.name, coalesce(p.description, '') as description, p.mode, p.default_stickiness as "defaultStickiness",
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
        ${favoriteColumns(project, userId)},
        ${agingColumns(project, now, 'archived')},
        ${featureLines}
      from projects p where p.id = ${project} and p.archived_at is null
    )
    select first.strategies, rest.* from (select ${strategyLines} as strategies) first left join rest on false
    union all select null, rest.* from rest`.execute(db);
  const [first, rest] = rows;
  return first && rest && { ...rest, strategies: first.strategies };
}
