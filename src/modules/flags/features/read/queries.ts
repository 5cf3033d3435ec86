import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import { instantText } from '../../../../platform/db/instant-text.ts';
import { grouped } from '../../../../platform/grouped.ts';
import { createSlices } from '../../../../platform/slices.ts';
import type { Dependency, FeatureEnvironment, Strategy } from '../feature-schema.ts';
import { type Stage, stages } from '../lifecycle/contract.ts';
import type { Link } from '../links/link-schema.ts';
import { type Owner, ownerOf } from '../owner/queries.ts';
import type { Variant } from '../variants/variant-schema.ts';

/** A feature with everything that belongs to it. Responses omit null properties. */
export interface CompleteFeature {
  readonly name: string;
  readonly project: string;
  readonly type: string;
  readonly description: string | null;
  readonly impressionData: boolean;
  readonly stale: boolean;
  /** Of the viewer. */
  readonly favorite: boolean;
  readonly createdAt: string;
  readonly archivedAt: string | null;
  readonly creator: Author;
  readonly owner: Owner | null;
  readonly expiresAt: string | null;
  /** Null unless it is read for an instant. */
  readonly potentiallyStale: boolean | null;
  /** Null only for a row that was not created through the service. */
  readonly lifecycle: Lifecycle | null;
  readonly tags: { type: string; value: string }[];
  readonly children: string[];
  readonly dependencies: Dependency[];
  /** The authors of its events, except the creator, in the order of their first events. */
  readonly authors: readonly Author[];
  readonly links: readonly Link[];
  /** Those of its project, in their order. */
  readonly environments: readonly CompleteEnvironment[];
}

interface Author {
  readonly id: number;
  readonly name: string;
}

interface Lifecycle {
  readonly stage: Stage;
  readonly enteredStageAt: string;
  readonly status: 'kept' | 'discarded' | null;
}

interface State {
  readonly enabled: boolean;
  readonly variants: Variant[];
  readonly lastSeenAt: string | null;
}

interface CompleteEnvironment
  extends State,
    Pick<FeatureEnvironment, 'name' | 'type' | 'sortOrder'> {
  /** In the order of evaluation. */
  readonly strategies: readonly CompleteStrategy[];
}

export type CompleteStrategy = Omit<Strategy, 'title'> & { readonly title: string | null };

/** Active and archived features by name, the active features of a project, or all. */
export type FeatureSelection =
  | { readonly names: readonly string[] }
  | { readonly project: string }
  | 'all';

/** Whether the feature that a column names is selected. */
const isSelected = (selection: FeatureSelection, column: string): RawBuilder<boolean> => {
  const name = sql.raw(column);
  if (selection === 'all') return sql`true`;
  return 'names' in selection
    ? sql`${name} = any(${selection.names}::text[])`
    : sql`${name} in (
        select active.name from features active
        where active.project = ${selection.project} and active.archived_at is null)`;
};

interface ReadOptions {
  /** Whose favorites they may be. */
  readonly viewerId?: number;
  /** Reads this environment only. For an export, reading all takes twice as long. */
  readonly environment?: string;
  /** Reads whether features are potentially stale at this instant. */
  readonly now?: Date | undefined;
}

/** The stages in order, to find the furthest that a feature has entered. */
export const stageOrder = sql.raw(`array[${stages.map((stage) => `'${stage}'`).join(', ')}]`);

/** Returns whether a feature `f` that is not stale is older than the lifetime of its type. */
export const isPotentiallyStale = (now: Date): RawBuilder<boolean> => sql`(not f.stale and exists (
    select from feature_ages age where age.name = f.name and age.due_at <= ${now}::timestamptz
  ))`;

type OfFeature<Row> = Row & { readonly feature: string };
type InEnvironment<Row> = OfFeature<Row> & { readonly environment: string };
type FeatureRow = Omit<
  CompleteFeature,
  'lifecycle' | 'tags' | 'children' | 'dependencies' | 'authors' | 'links' | 'environments'
>;
type DependencyRow = Omit<Dependency, 'feature'> & {
  readonly child: string;
  readonly parent: string;
  /** Whether the child is not archived. */
  readonly isActive: boolean;
};
type EnvironmentRow = Pick<CompleteEnvironment, 'name' | 'type' | 'sortOrder'> & {
  readonly project: string;
};
type StrategyRow = InEnvironment<Omit<CompleteStrategy, 'featureName' | 'segments'>> & {
  readonly createdAt: number;
};

/** A query for each table, because joining fifteen tables takes longer to plan than to read. */
function queriesOf(selection: FeatureSelection, { viewerId = 0, environment, now }: ReadOptions) {
  const of = (column: string) => isSelected(selection, column);
  const inEnvironment = (column: string) =>
    environment === undefined ? sql`` : sql`and ${sql.raw(column)} = ${environment}`;
  return {
    features: sql<FeatureRow>`
      select f.name, f.project, f.type, f.description, f.impression_data as "impressionData", f.stale,
        exists (
          select from feature_favorites mine where mine.feature_name = f.name and mine.user_id = ${viewerId}
        ) as favorite,
        ${instantText('f.created_at')} as "createdAt", ${instantText('f.archived_at')} as "archivedAt",
        json_build_object('id', f.created_by_user_id, 'name', f.created_by) as creator,
        ${ownerOf('f.name')} as owner, ${instantText('f.expires_at')} as "expiresAt",
        ${now === undefined ? sql`null` : isPotentiallyStale(now)} as "potentiallyStale"
      from features f where ${of('f.name')} order by f.name`,
    lifecycles: sql<OfFeature<Lifecycle>>`
      select distinct on (c.feature_name) c.feature_name as feature, c.stage,
        ${instantText('c.entered_at')} as "enteredStageAt", c.status
      from feature_lifecycles c where ${of('c.feature_name')}
      order by c.feature_name, array_position(${stageOrder}, c.stage) desc`,
    tags: sql<OfFeature<CompleteFeature['tags'][number]>>`
      select t.feature_name as feature, t.type, t.value
      from feature_tags t where ${of('t.feature_name')} order by t.type, t.value`,
    dependencies: sql<DependencyRow>`
      select d.child, d.parent, d.enabled, d.variants, child.archived_at is null as "isActive"
      from feature_dependencies d join features child on child.name = d.child
      where ${of('d.child')} or ${of('d.parent')} order by d.parent, d.child`,
    authors: sql<OfFeature<Author>>`
      select a.feature_name as feature, a.user_id as id, a.name
      from feature_authors a where ${of('a.feature_name')} order by a.first_id`,
    links: sql<OfFeature<Link>>`
      select l.feature_name as feature, l.id, l.url, l.title
      from feature_links l where ${of('l.feature_name')} order by l.sort_order, l.id`,
    environments: sql<EnvironmentRow>`
      select pe.project, e.name, e.type, e.sort_order as "sortOrder"
      from project_environments pe join environments e on e.name = pe.environment
      where pe.project in (select f.project from features f where ${of('f.name')})
        ${inEnvironment('e.name')}
      order by e.sort_order, e.name`,
    states: sql<InEnvironment<State>>`
      select s.feature_name as feature, s.environment, s.enabled, s.variants,
        ${instantText('s.last_seen_at')} as "lastSeenAt"
      from feature_environments s where ${of('s.feature_name')} ${inEnvironment('s.environment')}`,
    strategies: sql<StrategyRow>`
      select g.feature_name as feature, g.environment, g.id, g.name, g.title, g.disabled,
        g.sort_order as "sortOrder", g.constraints, g.variants, g.parameters,
        date_part('epoch', g.created_at) as "createdAt"
      from feature_strategies g where ${of('g.feature_name')} ${inEnvironment('g.environment')}`,
    segments: sql<{ strategy: string; segment: number }>`
      select used.strategy_id as strategy, used.segment_id as segment
      from feature_strategies g join feature_strategy_segments used on used.strategy_id = g.id
      where ${of('g.feature_name')} ${inEnvironment('g.environment')} order by used.segment_id`,
  };
}

type Queries = ReturnType<typeof queriesOf>;
type Rows = {
  readonly [Table in keyof Queries]: Queries[Table] extends RawBuilder<infer Row>
    ? readonly Row[]
    : never;
};

/**
 * Reads features completely, by name: one feature in one statement, and several table by table. Then the caller sees to
 * it that `db` reads one snapshot, or has locked them.
 */
export async function readFeatures(
  db: Db,
  selection: FeatureSelection,
  options: ReadOptions = {},
): Promise<CompleteFeature[]> {
  const queries = queriesOf(selection, options);
  const isOne = selection !== 'all' && 'names' in selection && selection.names.length === 1;
  return combine(await (isOne ? readAtOnce : readByTable)(db, queries));
}

/** A single trip. For a thousand features that takes twice as long as reading table by table. */
async function readAtOnce(db: Db, queries: Queries): Promise<Rows> {
  const columns = Object.entries(queries).map(
    ([table, query]) =>
      sql`(select coalesce(json_agg(each), '[]') from (${query}) each) as ${sql.id(table)}`,
  );
  const { rows } = await sql<Rows>`select ${sql.join(columns)}`.execute(db);
  if (!rows[0]) throw new Error('a statement without a table has one row');
  return rows[0];
}

const readByTable = async (db: Db, queries: Queries): Promise<Rows> => ({
  features: (await queries.features.execute(db)).rows,
  lifecycles: (await queries.lifecycles.execute(db)).rows,
  tags: (await queries.tags.execute(db)).rows,
  dependencies: (await queries.dependencies.execute(db)).rows,
  authors: (await queries.authors.execute(db)).rows,
  links: (await queries.links.execute(db)).rows,
  environments: (await queries.environments.execute(db)).rows,
  states: (await queries.states.execute(db)).rows,
  strategies: (await queries.strategies.execute(db)).rows,
  segments: (await queries.segments.execute(db)).rows,
});

const keyOf = (feature: string, environment: string): string => `${feature} ${environment}`;

/** The order of evaluation. Sorting all of them in PostgreSQL took a third of its time. */
const byEvaluation = (one: StrategyRow, other: StrategyRow): number =>
  one.sortOrder - other.sortOrder ||
  one.createdAt - other.createdAt ||
  (one.id < other.id ? -1 : 1);

/** Fields are written out: spread took a third of the whole time. */
async function combine(rows: Rows): Promise<CompleteFeature[]> {
  const ofFeature = ({ feature }: { readonly feature: string }) => feature;
  const lifecycles = new Map(rows.lifecycles.map((row) => [row.feature, row]));
  const tags = grouped(rows.tags, ofFeature);
  const parentsOf = grouped(rows.dependencies, ({ child }) => child);
  const childrenOf = grouped(
    rows.dependencies.filter(({ isActive }) => isActive),
    ({ parent }) => parent,
  );
  const authors = grouped(rows.authors, ofFeature);
  const links = grouped(rows.links, ofFeature);
  const environments = grouped(rows.environments, ({ project }) => project);
  const states = new Map(rows.states.map((row) => [keyOf(row.feature, row.environment), row]));
  const strategies = grouped(rows.strategies, (row) => keyOf(row.feature, row.environment));
  const segments = grouped(rows.segments, ({ strategy }) => strategy);

  const strategyOf = (row: StrategyRow): CompleteStrategy => ({
    id: row.id,
    featureName: row.feature,
    name: row.name,
    title: row.title,
    disabled: row.disabled,
    sortOrder: row.sortOrder,
    constraints: row.constraints,
    variants: row.variants,
    parameters: row.parameters,
    segments: (segments.get(row.id) ?? []).map(({ segment }) => segment),
  });

  const slices = createSlices();
  const features: CompleteFeature[] = [];
  for (const feature of rows.features) {
    if (slices.isOver()) await slices.pause();
    const { name, project } = feature;
    const lifecycle = lifecycles.get(name);
    features.push({
      name,
      project,
      type: feature.type,
      description: feature.description,
      impressionData: feature.impressionData,
      stale: feature.stale,
      favorite: feature.favorite,
      createdAt: feature.createdAt,
      archivedAt: feature.archivedAt,
      creator: feature.creator,
      owner: feature.owner,
      expiresAt: feature.expiresAt,
      potentiallyStale: feature.potentiallyStale,
      lifecycle: lifecycle
        ? {
            stage: lifecycle.stage,
            enteredStageAt: lifecycle.enteredStageAt,
            status: lifecycle.status,
          }
        : null,
      tags: (tags.get(name) ?? []).map(({ type, value }) => ({ type, value })),
      children: (childrenOf.get(name) ?? []).map(({ child }) => child),
      dependencies: (parentsOf.get(name) ?? []).map(({ parent, enabled, variants }) => ({
        feature: parent,
        enabled,
        variants,
      })),
      authors: (authors.get(name) ?? [])
        .filter(({ id }) => id !== feature.creator.id)
        .map((author) => ({ id: author.id, name: author.name })),
      links: (links.get(name) ?? []).map(({ id, url, title }) => ({ id, url, title })),
      environments: (environments.get(project) ?? []).map((environment) => {
        const key = keyOf(name, environment.name);
        const state = states.get(key);
        return {
          name: environment.name,
          type: environment.type,
          sortOrder: environment.sortOrder,
          enabled: state?.enabled ?? false,
          variants: state?.variants ?? [],
          lastSeenAt: state?.lastSeenAt ?? null,
          strategies: (strategies.get(key) ?? []).sort(byEvaluation).map(strategyOf),
        };
      }),
    });
  }
  return features;
}
