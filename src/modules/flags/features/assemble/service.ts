import { randomUUID } from 'node:crypto';
import { explained } from '../../../../platform/db/constraint.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { badData, nameExists } from '../../../../platform/errors.ts';
import { expiryOf } from '../../../../platform/expiry.ts';
import { grouped } from '../../../../platform/grouped.ts';
import { inPortions } from '../../../../platform/volume.ts';
import { addTagsTo } from '../../../catalogue/tags/index.ts';
import { recordEach } from '../../../events/index.ts';
import { addDependencies } from '../dependencies/service.ts';
import { switchEvent } from '../environments/state.ts';
import { featureCreated } from '../events.ts';
import type { Dependency, Feature, Strategy } from '../feature-schema.ts';
import type { Link } from '../links/link-schema.ts';
import { newLinks, writeNewLinks } from '../links/service.ts';
import { aboutFeature, factsOf, type LockedFeature } from '../lock.ts';
import { listUsers, type Owner } from '../owner/queries.ts';
import { findOwners, ownerKey } from '../owner/service.ts';
import { describeNewFeature } from '../read/service.ts';
import { featureStrategyAdded, factsOf as strategyFacts } from '../strategies/events.ts';
import { variantsEvent } from '../variants/service.ts';
import type { Variant } from '../variants/variant-schema.ts';
import type { FeaturePart, FeatureSpec, NewFeature } from './feature-spec.ts';
import {
  insertFeatures,
  insertSegments,
  insertStates,
  insertStrategies,
  type NewState,
  type NewStrategy,
} from './queries.ts';
import { refuseNewFeatures, type TargetProject } from './target-project.ts';

/** A part as it is stored. */
type StoredPart = { readonly featureName: string; readonly environment: string } & (
  | { readonly strategy: Strategy }
  | { readonly variants: Variant[] }
  | { readonly enabled: true }
);

export interface AssembledFeature {
  readonly feature: LockedFeature;
  readonly parts: readonly StoredPart[];
  readonly dependencies: readonly Dependency[];
  readonly links: readonly Link[];
}

/**
 * Creates features with everything in their specs, all of them or none, and records it. No other code creates
 * features. It checks the features and their names. The caller has checked permissions and parts.
 * `strategyTypePath` is where the request names the type of a strategy.
 */
export async function assemble(
  tx: Tx,
  target: TargetProject,
  specs: readonly FeatureSpec[],
  strategyTypePath?: string,
): Promise<AssembledFeature[]> {
  await refuseNewFeatures(tx, target, specs);
  if (specs.length === 0) return [];
  const parts = partsOf(specs);
  const writes = await writesOf(tx, parts, strategyTypePath);
  const owners = await ownersOf(tx, target, specs);
  const created = specs.map(({ feature, dependencies = [] }, index) => ({
    feature: {
      ...rowOf(tx, target.id, feature),
      archivedAt: null,
      tags: [],
      owner: owners[index] ?? null,
    },
    tags: feature.tags ?? [],
    createdBy: feature.createdBy,
    origin: feature.origin,
    dependencies,
    links: newLinks(feature.links),
  }));
  await recordEach(tx, created, ({ feature, origin, links }) =>
    featureCreated({
      ...aboutFeature(feature),
      data: { ...factsOf(feature), ...origin, ...(links.length > 0 && { links }) },
    }),
  );
  await insertUnlessTaken(
    tx,
    created.map(({ feature, createdBy }) => ({ ...feature, createdBy })),
  );
  const tags = await addTagsTo(tx, created);
  for (const write of writes) await write();
  const linked = created.filter(({ links }) => links.length > 0);
  if (linked.length > 0) {
    await writeNewLinks(
      tx,
      linked.map(({ feature, links }) => ({ name: feature.name, links })),
    );
  }
  const partsOfFeature = grouped(parts, ({ featureName }) => featureName);
  const assembled = created.map(({ feature, dependencies, links }, index) => ({
    feature: { ...feature, tags: tags[index] ?? [] },
    parts: partsOfFeature.get(feature.name) ?? [],
    dependencies,
    links,
  }));
  await finish(tx, assembled, parts);
  return assembled;
}

/**
 * Adds parts to locked features, all of them or none, and records them. Variants and states may only be
 * added in environments in which no one has set any for the feature.
 */
export async function addParts(
  tx: Tx,
  specs: readonly FeatureSpec<LockedFeature>[],
): Promise<Strategy[]> {
  const parts = partsOf(specs);
  for (const write of await writesOf(tx, parts)) await write();
  await finish(tx, specs, parts);
  return parts.flatMap((part) => ('strategy' in part ? [part.strategy] : []));
}

/** The responses that describe assembled features. Everything is known, so nothing has to be read. */
export function describeAssembled(
  viewer: Parameters<typeof describeNewFeature>[0],
  { environments }: TargetProject,
  assembled: readonly AssembledFeature[],
): Feature[] {
  const childrenOf = grouped(
    assembled.flatMap(({ feature: { name }, dependencies }) =>
      dependencies.map(({ feature: parent }) => ({ name, parent })),
    ),
    ({ parent }) => parent,
  );
  return assembled.map(({ feature, parts, dependencies, links }) => {
    const strategies = parts.flatMap((part) => ('strategy' in part ? [part] : []));
    const inOrder = strategies.sort((a, b) => a.strategy.sortOrder - b.strategy.sortOrder);
    return describeNewFeature(viewer, feature, environments, {
      strategies: new Map(
        [...grouped(inOrder, ({ environment }) => environment)].map(([environment, own]) => [
          environment,
          own.map(({ strategy }) => strategy),
        ]),
      ),
      variants: new Map(
        parts.flatMap((part) =>
          'variants' in part ? [[part.environment, part.variants] as const] : [],
        ),
      ),
      enabled: new Set(parts.flatMap((part) => ('enabled' in part ? [part.environment] : []))),
      dependencies,
      children: (childrenOf.get(feature.name) ?? []).map(({ name }) => name),
      links,
    });
  });
}

/** All parts in the order of their events. */
function partsOf(specs: readonly FeatureSpec<{ readonly name: string }>[]): StoredPart[] {
  const rounds = specs.reduce((most, { eventOrder }) => Math.max(most, eventOrder.length), 0);
  return Array.from({ length: rounds }, (_, round) =>
    specs.flatMap(({ feature: { name }, eventOrder }) =>
      (eventOrder[round] ?? []).map((part) => storedPart(name, part)),
    ),
  ).flat();
}

const storedPart = (featureName: string, part: FeaturePart): StoredPart =>
  'strategy' in part
    ? {
        featureName,
        environment: part.environment,
        strategy: { ...part.strategy, id: part.id ?? randomUUID(), featureName },
      }
    : { featureName, ...part };

type Write = () => Promise<unknown>;

/** The statements that write parts: two, and a third for segments, unless the parts are large. */
async function writesOf(
  tx: Tx,
  parts: readonly StoredPart[],
  strategyTypePath?: string,
): Promise<Write[]> {
  const states = await inPortions(statesOf(parts), ({ variants }) => variants);
  const strategies = await inPortions(datedStrategies(tx, parts), (strategy) => strategy);
  return [
    ...states.map((portion) => () => insertStates(tx, portion)),
    ...strategies.map((portion) => () => writeStrategies(tx, portion, strategyTypePath)),
  ];
}

/** Variants and `enabled` are columns of one row. */
function statesOf(parts: readonly StoredPart[]): NewState[] {
  const states = new Map<string, NewState>();
  for (const part of parts) {
    if ('strategy' in part) continue;
    const { featureName, environment } = part;
    const key = JSON.stringify([featureName, environment]);
    const state = states.get(key) ?? { featureName, environment, enabled: false, variants: [] };
    states.set(
      key,
      'variants' in part ? { ...state, variants: part.variants } : { ...state, enabled: true },
    );
  }
  return [...states.values()];
}

/**
 * Strategies of a feature in an environment that share a sort order are ordered by age. The last is
 * created now and each before it a millisecond earlier, so that none lies in the future.
 */
function datedStrategies({ now }: Tx, parts: readonly StoredPart[]): NewStrategy[] {
  const ages = new Map<string, number>();
  return parts
    .flatMap((part) => ('strategy' in part ? [part] : []))
    .toReversed()
    .map(({ featureName, environment, strategy }) => {
      const key = JSON.stringify([featureName, environment]);
      const age = ages.get(key) ?? 0;
      ages.set(key, age + 1);
      return { ...strategy, environment, createdAt: new Date(now.getTime() - age) };
    })
    .reverse();
}

async function writeStrategies(
  tx: Tx,
  strategies: readonly NewStrategy[],
  typePath = '/body/name',
): Promise<void> {
  await explained(insertStrategies(tx, strategies), {
    feature_strategies_name_fkey: () =>
      badData([{ path: typePath, message: 'This strategy type has just been deleted' }]),
    feature_strategies_pkey: () => nameExists('Another feature has a strategy with this ID'),
  });
  const segmented = strategies.filter(({ segments }) => segments.length > 0);
  if (segmented.length > 0) await writeSegments(tx, segmented);
}

/** The strategies have no segments yet. */
export const writeSegments = (tx: Tx, strategies: readonly Pick<Strategy, 'id' | 'segments'>[]) =>
  explained(insertSegments(tx, strategies), {
    feature_strategy_segments_segment_fkey: () =>
      badData([{ path: '/body/segments', message: 'One of the segments has just been deleted' }]),
  });

const rowOf = (tx: Tx, project: string, feature: NewFeature) => ({
  name: feature.name,
  project,
  type: feature.type,
  description: feature.description,
  impressionData: feature.impressionData,
  stale: feature.stale ?? false,
  createdAt: feature.createdAt === undefined ? tx.now : new Date(feature.createdAt),
  expiresAt: expiryOf(feature.expiresAt),
});

/** The owners in the order of the features: the given one, else the creator, if that is a user. */
async function ownersOf(
  tx: Tx,
  { id: project, caller }: TargetProject,
  specs: readonly FeatureSpec[],
): Promise<readonly (Owner | null)[]> {
  const features = specs.map(({ feature }) => feature);
  const given = await findOwners(
    tx,
    project,
    features.flatMap(({ owner }) => owner ?? []),
  );
  const creators = features.flatMap(({ owner, createdBy }) =>
    owner === undefined && createdBy ? [createdBy.id] : [],
  );
  const users = creators.length > 0 ? await listUsers(tx.db, creators) : [];
  return features.map(({ owner, createdBy }) => {
    if (owner === null) return null;
    if (owner === undefined && !createdBy) return caller;
    const found = owner ? given.get(ownerKey(owner)) : users.find(({ id }) => id === createdBy?.id);
    return found && !('refusal' in found) ? found : null;
  });
}

function insertUnlessTaken(
  tx: Tx,
  features: Parameters<typeof insertFeatures>[1],
): Promise<unknown> {
  const [only, ...others] = features.map(({ name }) => `named '${name}'`);
  const which = others.length > 0 ? 'with one of these names' : only;
  return explained(insertFeatures(tx, features), {
    features_pkey: () => nameExists(`A feature ${which} already exists`),
  });
}

async function finish(
  tx: Tx,
  specs: readonly {
    readonly feature: LockedFeature;
    readonly dependencies?: readonly Dependency[];
  }[],
  parts: readonly StoredPart[],
): Promise<void> {
  const features = new Map(specs.map(({ feature }) => [feature.name, feature]));
  await recordEach(tx, parts, (part) =>
    eventOf(features.get(part.featureName) as LockedFeature, part),
  );
  await addDependencies(
    tx,
    specs.flatMap(({ feature: child, dependencies = [] }) =>
      dependencies.map((dependency) => ({ child, dependency })),
    ),
  );
}

function eventOf(feature: LockedFeature, part: StoredPart) {
  const { environment } = part;
  if ('strategy' in part) {
    const data = strategyFacts(part.strategy);
    return featureStrategyAdded({ ...aboutFeature(feature), environment, data });
  }
  if ('variants' in part) {
    return variantsEvent(feature, environment, { variants: part.variants, before: [] });
  }
  return switchEvent(feature, environment, true);
}
