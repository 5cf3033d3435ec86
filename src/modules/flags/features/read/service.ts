import type { Actor } from '../../../../platform/actor.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { inBatches } from '../../../../platform/http/long-json.ts';
import { createSlices } from '../../../../platform/slices.ts';
import type { Dependency, Feature, FeatureEnvironment, Strategy } from '../feature-schema.ts';
import type { Link } from '../links/link-schema.ts';
import type { LockedFeature } from '../lock.ts';
import { showOwner } from '../owner/service.ts';
import type { Variant } from '../variants/variant-schema.ts';
import { listActiveRows, listArchivedRows, listCreators, type Range } from './list-queries.ts';
import { type CompleteFeature, type CompleteStrategy, readFeatures } from './queries.ts';
import { personOf, summariesOf } from './summary.ts';
import type { SummaryRows } from './summary-queries.ts';

/** The reader of features, and the base URL of avatars. */
export interface Viewer {
  readonly actor: Actor;
  readonly baseUrl: string;
  /** Decides whether features are potentially stale. Responses omit it otherwise. */
  readonly now?: Date;
}

// Fields are written out where there are thousands of objects: with spread, a list of 1,000 took twice as long.

function strategyOf(row: CompleteStrategy): Strategy {
  const strategy: Strategy = {
    id: row.id,
    featureName: row.featureName,
    name: row.name,
    disabled: row.disabled,
    sortOrder: row.sortOrder,
    constraints: row.constraints,
    variants: row.variants,
    parameters: row.parameters,
    segments: row.segments,
  };
  if (row.title !== null) strategy.title = row.title;
  return strategy;
}

function environmentOf(
  featureName: string,
  row: CompleteFeature['environments'][number],
): FeatureEnvironment {
  const environment: FeatureEnvironment = {
    name: row.name,
    featureName,
    environment: row.name,
    type: row.type,
    enabled: row.enabled,
    sortOrder: row.sortOrder,
    variantCount: row.variants.length,
    variants: row.variants,
    hasStrategies: row.strategies.length > 0,
    hasEnabledStrategies: row.strategies.some(({ disabled }) => !disabled),
    strategies: row.strategies.map(strategyOf),
  };
  if (row.lastSeenAt !== null) environment.lastSeenAt = row.lastSeenAt;
  return environment;
}

function lifecycleOf({ lifecycle, createdAt }: CompleteFeature): Feature['lifecycle'] {
  if (!lifecycle) return { stage: 'initial', enteredStageAt: createdAt };
  const { stage, enteredStageAt, status } = lifecycle;
  return { stage, enteredStageAt, ...(status !== null && { status }) };
}

export function featureOf(row: CompleteFeature, baseUrl: string): Feature {
  const { archivedAt, creator, authors, links, owner, expiresAt, potentiallyStale } = row;
  const environments = row.environments.map((state) => environmentOf(row.name, state));
  const seen = environments.flatMap(({ lastSeenAt }) => lastSeenAt ?? []).sort();
  const lastSeenAt = seen.at(-1);
  const feature: Feature = {
    name: row.name,
    project: row.project,
    type: row.type,
    description: row.description,
    archived: archivedAt !== null,
    enabled: environments.some(({ enabled }) => enabled),
    stale: row.stale,
    favorite: row.favorite,
    impressionData: row.impressionData,
    createdAt: row.createdAt,
    createdBy: personOf(baseUrl, creator),
    environments,
    variants: environments.findLast(({ variants }) => variants.length > 0)?.variants ?? [],
    tags: row.tags,
    children: row.children,
    lifecycle: lifecycleOf(row),
    dependencies: row.dependencies,
    collaborators: { users: [creator, ...authors].map((author) => personOf(baseUrl, author)) },
  };
  if (potentiallyStale) feature.potentiallyStale = true;
  if (owner) feature.owner = showOwner(owner, baseUrl);
  if (expiresAt !== null) feature.expiresAt = expiresAt;
  if (links.length > 0) feature.links = [...links];
  if (archivedAt !== null) feature.archivedAt = archivedAt;
  if (lastSeenAt !== undefined) feature.lastSeenAt = lastSeenAt;
  return feature;
}

/** Lists the active features of a project with everything that belongs to them, by name. */
export async function listWholeFeatures(
  db: Db,
  { baseUrl }: Pick<Viewer, 'baseUrl'>,
  project: string,
): Promise<Feature[]> {
  const slices = createSlices();
  const features: Feature[] = [];
  for (const row of await readFeatures(db, { project })) {
    if (slices.isOver()) await slices.pause();
    features.push(featureOf(row, baseUrl));
  }
  return features;
}

export async function getFeature(
  db: Db,
  viewer: Viewer,
  project: string,
  name: string,
  states: 'active' | 'any' = 'active',
): Promise<Feature> {
  const [row] = await readFeatures(
    db,
    { names: [name] },
    { viewerId: viewer.actor.id, now: viewer.now },
  );
  const feature = row && featureOf(row, viewer.baseUrl);
  if (feature?.project !== project) throw notFound('feature', name);
  if (feature.archived && states === 'active') throw notFound('feature', name);
  return feature;
}

/** The contents that a feature received in the transaction that created it. */
interface InitialContents {
  /** By environment, in evaluation order. */
  readonly strategies: ReadonlyMap<string, readonly Strategy[]>;
  readonly variants: ReadonlyMap<string, Variant[]>;
  /** The environments in which it is enabled. */
  readonly enabled?: ReadonlySet<string>;
  readonly dependencies?: readonly Dependency[];
  readonly children?: readonly string[];
  readonly links?: readonly Link[];
}

const nothingElse: InitialContents = { strategies: new Map(), variants: new Map() };

/** Describes a feature that was just created in a project with these environments, without reading it again. */
export function describeNewFeature(
  { actor, baseUrl }: Viewer,
  { createdAt, expiresAt, ...feature }: LockedFeature,
  environments: readonly Pick<FeatureEnvironment, 'name' | 'type' | 'sortOrder'>[],
  {
    strategies,
    variants,
    enabled,
    dependencies = [],
    children = [],
    links = [],
  }: InitialContents = nothingElse,
): Feature {
  const row: CompleteFeature = {
    ...feature,
    tags: [...feature.tags],
    favorite: false,
    createdAt: createdAt.toISOString(),
    archivedAt: null,
    creator: { id: actor.id, name: actor.name },
    expiresAt: expiresAt?.toISOString() ?? null,
    potentiallyStale: null,
    lifecycle: null,
    children: [...children].sort(),
    dependencies: [...dependencies],
    authors: [],
    links,
    environments: environments.map((environment) => ({
      ...environment,
      enabled: enabled?.has(environment.name) ?? false,
      variants: variants.get(environment.name) ?? [],
      lastSeenAt: null,
      strategies: (strategies.get(environment.name) ?? []).map((strategy) => ({
        title: null,
        ...strategy,
      })),
    })),
  };
  return featureOf(row, baseUrl);
}

/** The first batch need not be short, because lists do not have the strategies of a feature. */
export const featureBatchRows = 100;

/** Reads a list of features by name. A feature that is created or archived meanwhile may be in it or not. */
const listByName = (
  baseUrl: string,
  read: (range: Range) => Promise<SummaryRows>,
): AsyncGenerator<string> =>
  inBatches<string>(async (after, limit) => {
    const rows = await read({ after, limit });
    const isLast = rows.features.length < limit;
    return {
      items: await summariesOf(rows, baseUrl),
      next: isLast ? undefined : rows.features.at(-1)?.name,
    };
  }, featureBatchRows);

/** Lists the active features of a project, by name, each as JSON. */
export const listFeatures = (db: Db, { actor, baseUrl }: Viewer, project: string) =>
  listByName(baseUrl, (range) => listActiveRows(db, actor.id, project, range));

/** Lists the archived features of a project, or of all projects that the actor may see, in the same form. */
export function listArchivedFeatures(db: Db, { actor, baseUrl }: Viewer, project?: string) {
  const projects = project === undefined ? actor.sees : new Set([project]);
  return listByName(baseUrl, (range) => listArchivedRows(db, actor.id, projects, range));
}

/** Lists the creators of a project's features. */
export const listFlagCreators = (db: Db, project: string) => listCreators(db, project);
