import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { References, Scan } from './contract.ts';

export interface Reference {
  readonly feature: string;
  readonly path: string;
  readonly line: number;
}

/** Stores a scan. Another scan of the same repository waits until the transaction ends. */
export const upsertScan = (tx: Tx, project: string, { repository, commit = null }: ScanRow) =>
  tx.db
    .insertInto('code_scans')
    .values({ project, repository, commit, scanned_at: tx.now })
    .onConflict((conflict) =>
      conflict.columns(['project', 'repository']).doUpdateSet({ commit, scanned_at: tx.now }),
    )
    .execute();

type ScanRow = Pick<Scan, 'repository'> & { readonly commit?: string | null };

export const countOtherScans = async (
  db: Db,
  project: string,
  repository: string,
): Promise<number> => {
  const { count } = await db
    .selectFrom('code_scans')
    .where('project', '=', project)
    .where('repository', '<>', repository)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

/** Returns which of the names are features of the project, archived or not. */
export const listFeaturesOf = (db: Db, project: string, names: readonly string[]) =>
  db
    .selectFrom('features')
    .where('project', '=', project)
    .where(sql<boolean>`name = any(${names}::text[])`)
    .select('name')
    .execute();

export const deleteReferences = (tx: Tx, project: string, repository: string) =>
  tx.db
    .deleteFrom('code_references')
    .where('project', '=', project)
    .where('repository', '=', repository)
    .execute();

/** Inserts references as three arrays: ten thousand rows would exceed PostgreSQL's parameter limit. */
export const insertReferences = (
  tx: Tx,
  project: string,
  repository: string,
  references: readonly Reference[],
) =>
  tx.db
    .insertInto('code_references')
    .columns(['project', 'repository', 'feature_name', 'path', 'line'])
    .expression(({ selectFrom, val }) =>
      selectFrom(
        sql<{ feature: string; path: string; line: number }>`unnest(
          ${references.map(({ feature }) => feature)}::text[],
          ${references.map(({ path }) => path)}::text[],
          ${references.map(({ line }) => line)}::int[]
        )`.as<'found'>(sql`found(feature, path, line)`),
      ).select([
        val(project).as('project'),
        val(repository).as('repository'),
        'found.feature',
        'found.path',
        'found.line',
      ]),
    )
    .execute();

export const deleteScan = (tx: Tx, project: string, repository: string) =>
  tx.db
    .deleteFrom('code_scans')
    .where('project', '=', project)
    .where('repository', '=', repository)
    .returning('repository')
    .executeTakeFirst();

/** Excludes names that are not features of the project. */
const referencesOf = (db: Db, project: string) =>
  db
    .selectFrom('code_references as found')
    .innerJoin('features', (join) =>
      join
        .onRef('features.name', '=', 'found.feature_name')
        .onRef('features.project', '=', 'found.project'),
    )
    .where('found.project', '=', project);

export async function listScans(db: Db, project: string): Promise<References['scans']> {
  const rows = await db
    .selectFrom('code_scans as scan')
    .leftJoin(
      referencesOf(db, project)
        .groupBy('found.repository')
        .select(['found.repository', sql<number>`count(*)::int`.as('count')])
        .as('counted'),
      'counted.repository',
      'scan.repository',
    )
    .where('scan.project', '=', project)
    .select([
      'scan.repository',
      'scan.commit',
      'scan.scanned_at as scannedAt',
      sql<number>`coalesce(counted.count, 0)`.as('references'),
    ])
    .orderBy('scan.repository')
    .execute();
  return rows.map(({ scannedAt, ...scan }) => ({ ...scan, scannedAt: scannedAt.toISOString() }));
}

export interface ReferenceFilter {
  readonly feature?: string | undefined;
  readonly repository?: string | undefined;
}

const selectFound = (db: Db, project: string, { feature, repository }: ReferenceFilter) =>
  referencesOf(db, project)
    .$if(feature !== undefined, (query) =>
      query.where('found.feature_name', '=', feature as string),
    )
    .$if(repository !== undefined, (query) =>
      query.where('found.repository', '=', repository as string),
    );

export const countReferences = async (
  db: Db,
  project: string,
  filter: ReferenceFilter,
): Promise<number> => {
  const { count } = await selectFound(db, project, filter)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

export const listReferences = (
  db: Db,
  project: string,
  filter: ReferenceFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) =>
  selectFound(db, project, filter)
    .select(['found.feature_name as feature', 'found.repository', 'found.path', 'found.line'])
    .orderBy('found.feature_name')
    .orderBy('found.repository')
    .orderBy('found.path')
    .orderBy('found.line')
    .limit(limit)
    .offset(offset)
    .execute();
