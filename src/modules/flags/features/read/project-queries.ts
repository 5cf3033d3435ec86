import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import { grouped } from '../../../../platform/grouped.ts';
import { createSlices } from '../../../../platform/slices.ts';
import type { WholeRow } from './queries.ts';
import { instantText, stageOrder } from './summary-queries.ts';

type EnvironmentRow = WholeRow['environments'][number];
type StrategyRow = EnvironmentRow['strategies'][number];

type FeatureRow = Pick<
  WholeRow,
  | 'name'
  | 'project'
  | 'type'
  | 'description'
  | 'impressionData'
  | 'stale'
  | 'favorite'
  | 'createdAt'
  | 'creator'
>;

type OfFeature<Row> = Row & { readonly feature: string };

const living = (project: string) => sql`f.project = ${project} and f.archived_at is null`;

async function listFeatureRows(db: Db, project: string, userId: number): Promise<FeatureRow[]> {
  const { rows } = await sql<FeatureRow>`
    select f.name, f.project, f.type, f.description, f.impression_data as "impressionData", f.stale,
      mine.user_id is not null as favorite, ${instantText('f.created_at')} as "createdAt",
      json_build_object('id', f.created_by_user_id, 'name', f.created_by) as creator
    from features f
    left join feature_favorites mine on mine.feature_name = f.name and mine.user_id = ${userId}
    where ${living(project)} order by f.name`.execute(db);
  return rows;
}

async function listLifecycles(db: Db, project: string) {
  const { rows } = await sql<OfFeature<NonNullable<WholeRow['lifecycle']>>>`
    select distinct on (c.feature_name) c.feature_name as feature, c.stage,
      ${instantText('c.entered_at')} as "enteredStageAt", c.status
    from features f join feature_lifecycles c on c.feature_name = f.name
    where ${living(project)}
    order by c.feature_name, array_position(${stageOrder}, c.stage) desc`.execute(db);
  return new Map(rows.map(({ feature, ...lifecycle }) => [feature, lifecycle]));
}

async function listTags(db: Db, project: string) {
  const { rows } = await sql<OfFeature<WholeRow['tags'][number]>>`
    select t.feature_name as feature, t.type, t.value
    from features f join feature_tags t on t.feature_name = f.name
    where ${living(project)} order by t.type, t.value`.execute(db);
  return grouped(rows, ({ feature }) => feature);
}

async function listDependencies(db: Db, project: string) {
  const { rows } = await sql<
    OfFeature<WholeRow['dependencies'][number]> & { parent: string; isLiving: boolean }
  >`
    select d.child as feature, d.parent, d.enabled, d.variants, child.archived_at is null as "isLiving"
    from feature_dependencies d
    join features child on child.name = d.child
    join features f on f.name = d.parent
    where f.project = ${project} or child.project = ${project}
    order by d.parent, d.child`.execute(db);
  return {
    parentsOf: grouped(rows, ({ feature }) => feature),
    childrenOf: grouped(
      rows.filter(({ isLiving }) => isLiving),
      ({ parent }) => parent,
    ),
  };
}

async function listAuthors(db: Db, project: string) {
  const { rows } = await sql<OfFeature<WholeRow['authors'][number]>>`
    select a.feature_name as feature, a.user_id as id, a.name
    from features f join feature_authors a on a.feature_name = f.name
    where ${living(project)} and a.user_id <> f.created_by_user_id
    order by a.first_id`.execute(db);
  return grouped(rows, ({ feature }) => feature);
}

async function listEnvironments(db: Db, project: string) {
  const { rows } = await sql<Pick<EnvironmentRow, 'name' | 'type' | 'sortOrder'>>`
    select e.name, e.type, e.sort_order as "sortOrder"
    from project_environments own join environments e on e.name = own.environment
    where own.project = ${project} order by e.sort_order, e.name`.execute(db);
  return rows;
}

type StateRow = Pick<EnvironmentRow, 'enabled' | 'variants' | 'lastSeenAt'>;

const keyOf = (feature: string, environment: string): string => `${feature} ${environment}`;

async function listStates(db: Db, project: string) {
  const { rows } = await sql<OfFeature<StateRow> & { environment: string }>`
    select s.feature_name as feature, s.environment, s.enabled, s.variants,
      ${instantText('s.last_seen_at')} as "lastSeenAt"
    from features f join feature_environments s on s.feature_name = f.name
    where ${living(project)}`.execute(db);
  return new Map(rows.map((row) => [keyOf(row.feature, row.environment), row]));
}

type OrderedStrategy = StrategyRow & { environment: string; createdAt: number };

/** The order of evaluation, as in `listWhole`. */
const byEvaluation = (one: OrderedStrategy, other: OrderedStrategy): number =>
  one.sortOrder - other.sortOrder ||
  one.createdAt - other.createdAt ||
  (one.id < other.id ? -1 : 1);

async function listStrategies(db: Db, project: string) {
  const { rows } = await sql<OrderedStrategy>`
    select g.id, g.feature_name as "featureName", g.environment, g.name, g.title, g.disabled,
      g.sort_order as "sortOrder", g.constraints, g.variants, g.parameters,
      coalesce(link.segments, '[]') as segments, date_part('epoch', g.created_at) as "createdAt"
    from features f join feature_strategies g on g.feature_name = f.name
    left join (
      select strategy_id, json_agg(segment_id order by segment_id) as segments
      from feature_strategy_segments group by strategy_id
    ) link on link.strategy_id = g.id
    where ${living(project)}`.execute(db);
  const groups = grouped(rows, ({ featureName, environment }) => keyOf(featureName, environment));
  // Sorting all of them in PostgreSQL took a third of its time.
  for (const group of groups.values()) group.sort(byEvaluation);
  return groups;
}

/**
 * Everything of all living features of a project, table by table. The subqueries of `listWhole` for each feature are
 * made for a few features. The caller sees to it that `db` reads one snapshot.
 */
export async function listWholeOfProject(
  db: Db,
  project: string,
  userId: number,
): Promise<WholeRow[]> {
  const strategies = await listStrategies(db, project);
  const features = await listFeatureRows(db, project, userId);
  const lifecycles = await listLifecycles(db, project);
  const tags = await listTags(db, project);
  const { parentsOf, childrenOf } = await listDependencies(db, project);
  const authors = await listAuthors(db, project);
  const environments = await listEnvironments(db, project);
  const states = await listStates(db, project);

  // Fields are written out: spread took a third of the whole time.
  const slices = createSlices();
  const whole: WholeRow[] = [];
  for (const feature of features) {
    if (slices.isOver()) await slices.pause();
    const { name } = feature;
    whole.push({
      name,
      project,
      type: feature.type,
      description: feature.description,
      impressionData: feature.impressionData,
      stale: feature.stale,
      favorite: feature.favorite,
      createdAt: feature.createdAt,
      archivedAt: null,
      creator: feature.creator,
      lifecycle: lifecycles.get(name) ?? null,
      tags: (tags.get(name) ?? []).map(({ type, value }) => ({ type, value })),
      children: (childrenOf.get(name) ?? []).map((child) => child.feature),
      dependencies: (parentsOf.get(name) ?? []).map(({ parent, enabled, variants }) => ({
        feature: parent,
        enabled,
        variants,
      })),
      authors: (authors.get(name) ?? []).map((author) => ({ id: author.id, name: author.name })),
      environments: environments.map((environment) => {
        const key = keyOf(name, environment.name);
        const state = states.get(key);
        return {
          name: environment.name,
          type: environment.type,
          sortOrder: environment.sortOrder,
          enabled: state?.enabled ?? false,
          variants: state?.variants ?? [],
          lastSeenAt: state?.lastSeenAt ?? null,
          strategies: strategies.get(key) ?? [],
        };
      }),
    });
  }
  return whole;
}
