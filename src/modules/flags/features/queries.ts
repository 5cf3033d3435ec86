import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { FeatureNaming } from '../../catalogue/projects/index.ts';
import { erasedName } from '../../events/index.ts';
import type { LockedFeature } from './lock.ts';
import type { Variant } from './variants/variant-schema.ts';

type NewRow = Omit<LockedFeature, 'tags' | 'archivedAt'>;

/** What a feature that is made has in an environment from the beginning. */
export interface FirstState {
  readonly featureName: string;
  readonly environment: string;
  readonly enabled: boolean;
  readonly variants: readonly Variant[];
}

/** What a project, and all that there is already, has to say to new features. */
export interface Receiver {
  readonly archived: boolean;
  readonly featureLimit: number | null;
  readonly featureNaming: FeatureNaming | undefined;
  /** In their order. */
  readonly environments: readonly {
    readonly name: string;
    readonly type: string;
    readonly sortOrder: number;
  }[];
  /** Of the names that were asked for, those that there are. */
  readonly taken: readonly TakenName[];
  /** Of the types that were asked for, those that there are; and of the types of tags. */
  readonly types: readonly string[];
  readonly tagTypes: readonly string[];
  /** Living features of all projects, once there are so many that it matters. */
  readonly all: number;
}

export interface TakenName {
  readonly name: string;
  readonly project: string;
  readonly archived: boolean;
}

const takenNames = (names: readonly string[]) => sql`(
  select coalesce(json_agg(json_build_object('name', f.name, 'project', f.project, 'archived', f.archived_at is not null) order by f.name), '[]')
  from features f where f.name = any(${names}::text[]))`;

/** A row takes at least this much: only a larger table can hold as many as are worth counting. */
const leastRowBytes = 64;

const countAll = (from: number) => sql`
  case when pg_relation_size('features') / ${leastRowBytes} < ${from}::bigint then 0
    else (select count(*)::int from features f where f.archived_at is null) end`;

interface CreationLookup {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly tagTypes: readonly string[];
  /** Nobody wants to know of fewer features than that. */
  readonly countFrom: number;
}

/** Columns that a module above reads beside those of the receiver `p`. */
export type Further<Row> = RawBuilder<Row>;

/**
 * The project, kept from being archived until the transaction ends, and all else that decides over
 * new features: one statement, because creating features is what is done most. One that had to wait for
 * somebody who closed the project has read what lies around it as it was before: it is asked again.
 */
export async function holdReceiver<Row = unknown>(
  tx: Tx,
  project: string,
  asked: CreationLookup,
  further?: Further<Row>,
): Promise<(Receiver & Row) | undefined> {
  const { names, types, tagTypes, countFrom } = asked;
  const { rows } = await sql<
    Receiver & Row & { featureNaming: FeatureNaming | null; outdated: boolean }
  >`
    select p.xmin <> (select seen.xmin from projects seen where seen.id = p.id) as outdated,
      p.archived_at is not null as archived, p.feature_limit as "featureLimit",
      case when p.feature_naming_pattern is not null then json_strip_nulls(json_build_object(
        'pattern', p.feature_naming_pattern, 'example', p.feature_naming_example,
        'description', p.feature_naming_description)) end as "featureNaming",
      (
        select coalesce(json_agg(json_build_object(
          'name', e.name, 'type', e.type, 'sortOrder', e.sort_order) order by e.sort_order, e.name), '[]')
        from project_environments own join environments e on e.name = own.environment
        where own.project = p.id
      ) as environments,
      ${takenNames(names)} as taken,
      array(select t.id from feature_types t where t.id = any(${types}::text[])) as types,
      array(select t.name from tag_types t where t.name = any(${tagTypes}::text[])) as "tagTypes",
      ${countAll(countFrom)} as all
      ${further ? sql`, ${further}` : sql``}
    from projects p where p.id = ${project}
    for key share of p`.execute(tx.db);
  const [row] = rows;
  if (row?.outdated) return holdReceiver(tx, project, asked, further);
  return row && { ...row, featureNaming: row.featureNaming ?? undefined };
}

export async function listTaken(db: Db, names: readonly string[]): Promise<readonly TakenName[]> {
  const { rows } = await sql<{ taken: TakenName[] }>`select ${takenNames(names)} as taken`.execute(
    db,
  );
  return rows[0]?.taken ?? [];
}

export async function isFeatureType(db: Db, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('feature_types')
    .where('id', '=', id)
    .select('id')
    .executeTakeFirst();
  return found !== undefined;
}

/** Living features of a project, and of all once there are so many that it matters. */
export async function countLiving(
  db: Db,
  project: string,
  from: number,
): Promise<{ own: number; all: number }> {
  const { rows } = await sql<{ own: number; all: number }>`
    select count(*)::int as own, ${countAll(from)} as all
    from features where project = ${project} and archived_at is null`.execute(db);
  return rows[0] ?? { own: 0, all: 0 };
}

/**
 * Features with the stage and the states in which they begin, by one statement; as one JSON text, because many at
 * once would need more parameters than a statement takes. In the order of their names, so that of
 * two writers with names in common one waits for the other, and not each for the other.
 */
export const insertFeatures = (
  tx: Tx,
  features: readonly NewRow[],
  states: readonly FirstState[] = [],
) =>
  (states.length > 0 ? withStates(tx, states) : tx.db)
    .with('made', (db) =>
      db
        .insertInto('features')
        .columns(ownColumns)
        .expression(
          sql`select wished.*, ${tx.actor.name}, ${tx.actor.id}::integer
            from json_to_recordset(${JSON.stringify(features)}) wished(name text, project text, type text,
              description text, "impressionData" boolean, stale boolean, "createdAt" timestamptz)
            order by name`,
        )
        .returning(['name', 'created_at']),
    )
    .insertInto('feature_lifecycles')
    .columns(['feature_name', 'stage', 'entered_at'])
    .expression(sql`select name, 'initial', created_at from made`)
    .execute();

const ownColumns = [
  ...(['name', 'project', 'type', 'description', 'impression_data', 'stale'] as const),
  ...(['created_at', 'created_by', 'created_by_user_id'] as const),
];

const withStates = (tx: Tx, states: readonly FirstState[]) =>
  tx.db.with('begun', (db) =>
    db
      .insertInto('feature_environments')
      .columns(['feature_name', 'environment', 'enabled', 'variants'])
      .expression(
        sql`select * from json_to_recordset(${JSON.stringify(states)})
          wished("featureName" text, environment text, enabled boolean, variants json)`,
      ),
  );

export const updateFeature = (tx: Tx, feature: LockedFeature) =>
  tx.db
    .updateTable('features')
    .set({
      description: feature.description,
      type: feature.type,
      impression_data: feature.impressionData,
      stale: feature.stale,
    })
    .where('name', '=', feature.name)
    .execute();

export const updateStale = (tx: Tx, names: readonly string[], stale: boolean) =>
  tx.db
    .updateTable('features')
    .set({ stale })
    .where(sql<boolean>`name = any(${names}::text[])`)
    .execute();

/** What belongs to a feature goes with it: the foreign keys say so. */
export const deleteFeatures = (tx: Tx, names: readonly string[]) =>
  tx.db.deleteFrom('features').where(sql<boolean>`name = any(${names}::text[])`).execute();

/** Living features outside of these that depend on one of them. */
export const listOutsideChildren = (db: Db, names: readonly string[]) =>
  db
    .selectFrom('feature_dependencies as d')
    .innerJoin('features as child', 'child.name', 'd.child')
    .where(sql<boolean>`d.parent = any(${names}::text[])`)
    .where(sql<boolean>`d.child <> all(${names}::text[])`)
    .where('child.archived_at', 'is', null)
    .select(['d.parent', 'd.child'])
    .orderBy('d.parent')
    .orderBy('d.child')
    .execute();

/** Of these, the living features of a project. */
export async function listLiving(
  db: Db,
  project: string,
  names: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('features')
    .where(sql<boolean>`name = any(${names}::text[])`)
    .where('project', '=', project)
    .where('archived_at', 'is', null)
    .select('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Of a feature that only its own name addresses. */
export async function findProjectOf(db: Db, name: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('features')
    .where('name', '=', name)
    .select('project')
    .executeTakeFirst();
  return found?.project;
}

/** Takes the name of a creator out; the id stays, and leads to nobody. */
export const updateForgottenCreator = (tx: Tx, userId: number) =>
  tx.db
    .updateTable('features')
    .set({ created_by: erasedName })
    .where('created_by_user_id', '=', userId)
    .execute();
