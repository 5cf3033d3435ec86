import type { Actor, Db } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import type {
  Dependency,
  Feature,
  FeatureEnvironment,
  Person,
  Strategy,
} from '../feature-schema.ts';
import type { LockedFeature } from '../lock.ts';
import type { FeatureSearch } from '../search/filter.ts';
import { findFeatures } from '../search/queries.ts';
import type { Variant } from '../variants/variant-schema.ts';
import { listArchivedRows, listCreators, listLivingRows } from './list-queries.ts';
import { listWhole, type WholeRow } from './queries.ts';
import { summariesOf } from './summary.ts';

/** Who looks at features, and where pictures of people are found. */
export interface Viewer {
  readonly actor: Actor;
  readonly baseUrl: string;
}

const personOf = (baseUrl: string, { id, name }: { id: number; name: string }): Person => ({
  id,
  name,
  imageUrl: `${baseUrl}/avatars/${id}.svg`,
});

type Row<Key extends keyof WholeRow> = WholeRow[Key] extends readonly (infer Item)[] ? Item : never;

const strategyOf = ({
  title,
  ...strategy
}: Row<'environments'>['strategies'][number]): Strategy => ({
  ...strategy,
  ...(title !== null && { title }),
});

const environmentOf = (
  featureName: string,
  { lastSeenAt, strategies, ...state }: Row<'environments'>,
): FeatureEnvironment => ({
  ...state,
  featureName,
  environment: state.name,
  variantCount: state.variants.length,
  ...(lastSeenAt !== null && { lastSeenAt }),
  hasStrategies: strategies.length > 0,
  hasEnabledStrategies: strategies.some(({ disabled }) => !disabled),
  strategies: strategies.map(strategyOf),
});

function lifecycleOf({ lifecycle, createdAt }: WholeRow): Feature['lifecycle'] {
  if (!lifecycle) return { stage: 'initial', enteredStageAt: createdAt };
  const { stage, enteredStageAt, status } = lifecycle;
  return { stage, enteredStageAt, ...(status !== null && { status }) };
}

function featureOf(row: WholeRow, baseUrl: string): Feature {
  const { archivedAt, creator, authors, lifecycle, ...rest } = row;
  const environments = row.environments.map((state) => environmentOf(row.name, state));
  const seen = environments.flatMap(({ lastSeenAt }) => lastSeenAt ?? []).sort();
  const lastSeenAt = seen.at(-1);
  return {
    ...rest,
    archived: archivedAt !== null,
    ...(archivedAt !== null && { archivedAt }),
    enabled: environments.some(({ enabled }) => enabled),
    createdBy: personOf(baseUrl, creator),
    ...(lastSeenAt !== undefined && { lastSeenAt }),
    environments,
    variants: environments.findLast(({ variants }) => variants.length > 0)?.variants ?? [],
    lifecycle: lifecycleOf(row),
    collaborators: { users: [creator, ...authors].map((author) => personOf(baseUrl, author)) },
  };
}

/** Features with all that belongs to them, living and archived, by name; one statement for any number. */
async function listWholeFeatures(
  db: Db,
  { actor, baseUrl }: Viewer,
  names: readonly string[],
): Promise<Feature[]> {
  const rows = await listWhole(db, names, actor.id);
  return rows.map((row) => featureOf(row, baseUrl));
}

export async function getFeature(
  db: Db,
  viewer: Viewer,
  project: string,
  name: string,
  states: 'living' | 'any' = 'living',
): Promise<Feature> {
  const [feature] = await listWholeFeatures(db, viewer, [name]);
  if (feature?.project !== project) throw notFound('feature', name);
  if (feature.archived && states === 'living') throw notFound('feature', name);
  return feature;
}

/** What a feature was given in the transaction that made it. */
interface Gifts {
  /** By environment, in their order. */
  readonly strategies: ReadonlyMap<string, readonly Strategy[]>;
  readonly variants: ReadonlyMap<string, Variant[]>;
  /** Environments in which it was switched on. */
  readonly enabled?: ReadonlySet<string>;
  readonly dependencies?: readonly Dependency[];
  readonly children?: readonly string[];
}

const noGifts: Gifts = { strategies: new Map(), variants: new Map() };

/** A feature that was created a moment ago, in a project with these environments: nobody has to read it again. */
export function describeNewFeature(
  { actor, baseUrl }: Viewer,
  { createdAt, ...feature }: LockedFeature,
  environments: readonly Pick<FeatureEnvironment, 'name' | 'type' | 'sortOrder'>[],
  { strategies, variants, enabled, dependencies = [], children = [] }: Gifts = noGifts,
): Feature {
  const row: WholeRow = {
    ...feature,
    tags: [...feature.tags],
    favorite: false,
    createdAt: createdAt.toISOString(),
    archivedAt: null,
    creator: { id: actor.id, name: actor.name },
    lifecycle: null,
    children: [...children].sort(),
    dependencies: [...dependencies],
    authors: [],
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

/** The living features of a project, by name, as the inside of a JSON array. */
export const listFeatures = async (
  db: Db,
  { actor, baseUrl }: Viewer,
  project: string,
): Promise<string> => summariesOf(await listLivingRows(db, { userId: actor.id, baseUrl }, project));

/** The archived features of a project, or of all that may be seen, in the same way. */
export async function listArchivedFeatures(
  db: Db,
  { actor, baseUrl }: Viewer,
  project?: string,
): Promise<string> {
  const projects = project === undefined ? actor.sees : new Set([project]);
  return summariesOf(await listArchivedRows(db, { userId: actor.id, baseUrl }, projects));
}

/** A page of what was asked for, in the same way, and how many there are. */
export async function searchFeatures(
  db: Db,
  viewer: Viewer,
  search: FeatureSearch,
  now: Date,
): Promise<{ features: string; total: number }> {
  const { total, ...rows } = await findFeatures(db, viewer, search, now);
  return { features: await summariesOf(rows), total };
}

/** Who made the features of a project. */
export const listFlagCreators = (db: Db, project: string) => listCreators(db, project);
