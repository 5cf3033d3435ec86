import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../platform/db/database.ts';
import { lockActiveProjects } from '../../catalogue/projects/index.ts';
import { changeTags } from '../../catalogue/tags/index.ts';
import {
  addDependencies,
  addParts,
  archiveFeature,
  assemble,
  changeLockedFeature,
  changeProjectOf,
  completeFeature,
  enterStage,
  expiresAtFaults,
  type FeatureSpec,
  findOwnersNamed,
  getTargetProject,
  importCreation,
  importLinks,
  importStage,
  type LockedFeature,
  lockActiveFeature,
  lockFeatures,
  ownerNameKey,
  removeParents,
  reviveFeature,
  setVariantsOf,
  switchFeatures,
  type Variant,
  withdrawStrategiesIn,
} from '../../flags/features/index.ts';
import type {
  FeatureDocument,
  StateDocument,
  StrategyDocument,
  VariantDocument,
} from '../document.ts';
import { hasOtherCreation, hasOtherStage, pastInstant } from '../feature-changes.ts';
import { creatorIn } from './as-of.ts';
import { segmentIdsOf } from './segments.ts';

type FeaturePart = NonNullable<FeatureSpec['eventOrder'][number][number]>;
type Shape = Extract<FeaturePart, { strategy: unknown }>['strategy'];

/** The strategy as it was read: its numbers, its order and its group decide who gets the feature. */
export const shapeOf = (
  { segments, ...strategy }: StrategyDocument,
  segmentIds: ReadonlyMap<string, number>,
): Shape => ({
  ...strategy,
  title: strategy.title ?? '',
  constraints: [...strategy.constraints],
  parameters: { ...strategy.parameters },
  variants: strategy.variants.map((variant) => ({ ...variant })) as Shape['variants'],
  segments: segmentIdsOf(segments, segmentIds),
});

const variantsOf = (variants: readonly VariantDocument[]): Variant[] =>
  variants.map((variant) => ({ ...variant, overrides: variant.overrides ?? [] })) as Variant[];

function eventOrderOf(
  environments: readonly StateDocument[],
  segmentIds: ReadonlyMap<string, number>,
): FeaturePart[][] {
  return [
    environments.flatMap(({ name: environment, variants }) =>
      variants.length > 0 ? [{ environment, variants: variantsOf(variants) }] : [],
    ),
    environments.flatMap(({ name: environment, strategies }) =>
      strategies.map((strategy) => ({ environment, strategy: shapeOf(strategy, segmentIds) })),
    ),
    environments.flatMap(({ name: environment, enabled }) =>
      enabled ? [{ environment, enabled }] : [],
    ),
  ];
}

/** Makes features of one project, all or none, without their dependencies. */
export async function makeFeatures(
  tx: Tx,
  project: string,
  features: readonly FeatureDocument[],
  segmentIds: ReadonlyMap<string, number>,
): Promise<void> {
  const specs: FeatureSpec[] = [];
  const owners = await findOwnersNamed(
    tx.db,
    project,
    features.flatMap(({ owner }) => owner ?? []),
  );
  const accounts = new Map<string | undefined, number>();
  for (const feature of features) {
    const { name, type, description, impressionData, stale, tags, links = [] } = feature;
    const createdAt = pastInstant(feature.createdAt, tx.now)?.toISOString();
    const creator = feature.createdBy;
    const id = accounts.get(creator?.account);
    const createdBy =
      creator && (id === undefined ? await creatorIn(tx, creator) : { id, name: creator.name });
    if (createdBy) accounts.set(creator?.account, createdBy.id);
    specs.push({
      feature: {
        ...{ name, type, description, impressionData, stale, tags, links },
        ...(createdAt !== undefined && { createdAt }),
        ...(createdBy && { createdBy }),
        ...ownershipOf(feature, owners),
      },
      eventOrder: eventOrderOf(feature.environments, segmentIds),
    });
  }
  const target = await getTargetProject(
    tx,
    project,
    specs.map(({ feature }) => feature),
  );
  await assemble(tx, target, specs);
  await enterStages(tx, project, features);
  for (const feature of features) if (feature.archived) await archiveThen(tx, feature);
}

/** An owner who is unknown here, or has no access to the project, is ignored, and so is a date that no one can set. */
function ownershipOf(
  { owner, expiresAt }: FeatureDocument,
  owners: Awaited<ReturnType<typeof findOwnersNamed>>,
): Pick<FeatureSpec['feature'], 'owner' | 'expiresAt'> {
  const found = owner ? owners.get(ownerNameKey(owner)) : owner;
  return {
    ...(found !== undefined && { owner: found }),
    ...(expiresAt !== undefined && expiresAtFaults(expiresAt).length === 0 && { expiresAt }),
  };
}

const instantOf = (tx: Tx, text: string): Date => pastInstant(text, tx.now) ?? tx.now;

/** With the date on which it was archived there. */
const archiveThen = (tx: Tx, { project, name, archivedAt }: FeatureDocument): Promise<void> =>
  archiveFeature(tx, project, name, archivedAt ? instantOf(tx, archivedAt) : tx.now);

async function enterStages(
  tx: Tx,
  project: string,
  features: readonly FeatureDocument[],
): Promise<void> {
  for (const { name, lifecycle } of features) {
    if (!lifecycle) continue;
    const { stage, enteredAt, status } = lifecycle;
    await enterStage(tx, [{ feature: name, at: instantOf(tx, enteredAt) }], stage);
    if (status) await completeFeature(tx, { project, feature: name }, { status });
  }
}

/** Makes a feature as it is there. Dependencies follow when all features are. */
export async function changeFeature(
  tx: Tx,
  before: FeatureDocument,
  after: FeatureDocument,
  segmentIds: ReadonlyMap<string, number>,
): Promise<void> {
  const { name, project } = after;
  if (before.archived) await reviveFeature(tx, name);
  const isMoved = before.project !== project;
  if (isMoved) await moveFeature(tx, before, project, segmentIds);
  const locked = await lockActiveFeature(tx, project, name);
  const { type, description, stale, impressionData } = after;
  const feature = await changeLockedFeature(tx, locked, {
    type,
    description,
    stale,
    impressionData,
    ...ownershipOf(after, await findOwnersNamed(tx.db, project, after.owner ? [after.owner] : [])),
  });
  const has = (tags: FeatureDocument['tags'], tag: FeatureDocument['tags'][number]) =>
    tags.some((each) => isDeepStrictEqual(each, tag));
  const addedTags = after.tags.filter((tag) => !has(before.tags, tag));
  const removedTags = before.tags.filter((tag) => !has(after.tags, tag));
  if (addedTags.length + removedTags.length > 0) {
    await changeTags(tx, name, { addedTags, removedTags });
  }
  const names = new Set([...before.environments, ...after.environments].map((each) => each.name));
  for (const environment of names) {
    const own = isMoved ? undefined : before.environments.find((each) => each.name === environment);
    const wanted = after.environments.find((each) => each.name === environment);
    await changeState(tx, feature, environment, { own, wanted }, segmentIds);
  }
  await importFacts(tx, feature, before, after);
  if (after.archived) await archiveThen(tx, after);
}

/** What no one changes in Burgee, or what goes on here: creation and stage. And the links. */
async function importFacts(
  tx: Tx,
  feature: LockedFeature,
  before: FeatureDocument,
  after: FeatureDocument,
): Promise<void> {
  const { links, lifecycle } = after;
  if (links && !isDeepStrictEqual(before.links ?? [], links)) await importLinks(tx, feature, links);
  const createdAt = pastInstant(after.createdAt, tx.now) ?? feature.createdAt;
  if (hasOtherCreation(before, after, tx.now)) {
    const createdBy = await creatorIn(tx, after.createdBy ?? { name: tx.actor.name });
    await importCreation(tx, feature, { createdAt, createdBy });
  }
  if (hasOtherStage(before, after, tx.now)) {
    const { stage, status = null } = lifecycle ?? { stage: 'initial' as const };
    const at = lifecycle ? instantOf(tx, lifecycle.enteredAt) : createdAt;
    await importStage(tx, feature, { stage, at, status });
  }
}

/**
 * Moves a feature without its parents and its states, because what another project does not have keeps it from moving.
 * States come back as they are there, and parents with the dependencies.
 */
async function moveFeature(
  tx: Tx,
  { name, project, environments }: FeatureDocument,
  target: string,
  segmentIds: ReadonlyMap<string, number>,
): Promise<void> {
  await lockActiveProjects(tx, [project, target]);
  const feature = await lockActiveFeature(tx, project, name);
  await removeParents(tx, [feature]);
  for (const own of environments) {
    await changeState(tx, feature, own.name, { own, wanted: undefined }, segmentIds);
  }
  await changeProjectOf(tx, { project, feature: name }, target);
}

/** Changes features that move, together with those that depend on them: neither could be changed alone. */
export async function changeTogether(
  tx: Tx,
  features: readonly { readonly before: FeatureDocument; readonly after: FeatureDocument }[],
  segmentIds: ReadonlyMap<string, number>,
): Promise<void> {
  const projects = features.flatMap(({ before, after }) => [before.project, after.project]);
  await lockActiveProjects(tx, [...new Set(projects)]);
  const all = features.map(({ after }) => after);
  await removeParents(
    tx,
    await lockFeatures(
      tx,
      all.map(({ name }) => name),
    ),
  );
  for (const { before, after } of features) await changeFeature(tx, before, after, segmentIds);
  await setDependencies(tx, all);
}

async function changeState(
  tx: Tx,
  feature: LockedFeature,
  environment: string,
  { own, wanted }: { own: StateDocument | undefined; wanted: StateDocument | undefined },
  segmentIds: ReadonlyMap<string, number>,
): Promise<void> {
  const variants = wanted?.variants ?? [];
  if (!isDeepStrictEqual(own?.variants ?? [], variants)) {
    const set = new Map([[environment, variantsOf(variants)]]);
    await setVariantsOf(tx, [{ feature, variants: set }]);
  }
  const strategies = wanted?.strategies ?? [];
  if (!isDeepStrictEqual(own?.strategies ?? [], strategies)) {
    await withdrawStrategiesIn(tx, [feature], environment);
    await addParts(tx, [
      {
        feature,
        eventOrder: [
          strategies.map((strategy) => ({
            environment,
            strategy: shapeOf(strategy, segmentIds),
          })),
        ],
      },
    ]);
  }
  const enabled = wanted?.enabled ?? false;
  if ((own?.enabled ?? false) !== enabled) {
    await switchFeatures(tx, [feature], environment, enabled);
  }
}

/** Gives features their parents, and no others. */
export async function setDependencies(tx: Tx, features: readonly FeatureDocument[]): Promise<void> {
  const locked = await lockFeatures(
    tx,
    features.map(({ name }) => name),
  );
  await removeParents(tx, locked);
  const byName = new Map(locked.map((feature) => [feature.name, feature]));
  await addDependencies(
    tx,
    features.flatMap(({ name, dependencies }) => {
      const child = byName.get(name);
      return child
        ? dependencies.map((dependency) => ({
            child,
            dependency: { ...dependency, variants: [...dependency.variants] },
          }))
        : [];
    }),
  );
}
