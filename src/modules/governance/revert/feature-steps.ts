import { isDeepStrictEqual } from 'node:util';
import { changeTags, tags } from '../../catalogue/tags/index.ts';
import {
  addDependencyOf,
  addLink,
  archiveFeature,
  changeFeature,
  changeLink,
  changeProjectOf,
  createFeatures,
  deleteFeature,
  features,
  removeDependency,
  removeLink,
  removeStrategy,
  restoreEnvironmentVariants,
  restoreOrder,
  restoreStrategy,
  returnStrategies,
  reviveFeature,
  switchOne,
} from '../../flags/features/index.ts';
import type { FeatureEnvironmentState, Thing } from '../../history/index.ts';
import type { Step } from './steps.ts';
import { type Board, type ComparedFeature, comparable } from './things.ts';

const { contract } = features;

const nothingThere = comparable('feature-environment', undefined) as FeatureEnvironmentState;

type Keyed<Item> = ReadonlyMap<string, Item>;

const keyed = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Keyed<Item> =>
  new Map(items.map((item) => [keyOf(item), item]));

/** The items that only the second list has, those that only the first has, and those that differ. */
function differences<Item>(now: Keyed<Item>, target: Keyed<Item>) {
  return {
    added: [...target].filter(([key]) => !now.has(key)).map(([, item]) => item),
    removed: [...now].filter(([key]) => !target.has(key)).map(([, item]) => item),
    changed: [...target]
      .filter(([key, item]) => now.has(key) && !isDeepStrictEqual(now.get(key), item))
      .map(([, item]) => item),
  };
}

/** The ordinary changes that make a feature what it shall be. */
export function featureSteps(name: string, now: Board, target: Board): Step[] {
  const [is, wanted] = [now.get('feature', name), target.get('feature', name)];
  const thing: Thing = { kind: 'feature', key: name, part: '' };
  if (!wanted) return is ? deletion(thing, is) : [];
  const created = is ?? startOf(wanted);
  // It comes back disabled everywhere.
  const isRevived = is?.archived === true && !wanted.archived;
  const environments = new Set([
    ...now.partsOf('feature-environment', name).keys(),
    ...target.partsOf('feature-environment', name).keys(),
  ]);
  return [
    ...(is ? [] : creation(thing, wanted)),
    ...(isRevived ? [revival(thing, is)] : []),
    ...move(thing, created, wanted),
    ...metadata(thing, created, wanted),
    ...tagChanges(thing, created, wanted),
    ...linkChanges(thing, created, wanted),
    ...dependencyChanges(thing, created, wanted),
    ...[...environments].flatMap((environment) => {
      const state = now.get('feature-environment', name, environment) ?? nothingThere;
      return environmentSteps(
        { kind: 'feature-environment', key: name, part: environment },
        wanted.project,
        isRevived ? { ...state, enabled: false } : state,
        target.get('feature-environment', name, environment) ?? nothingThere,
      );
    }),
    ...(wanted.archived && !created.archived ? [archiving(thing, wanted)] : []),
  ];
}

/** How a feature is right after it was created again. */
const startOf = (wanted: ComparedFeature): ComparedFeature => ({
  ...wanted,
  archived: false,
  links: [],
  dependencies: [],
});

const creation = (thing: Thing, wanted: ComparedFeature): Step[] => [
  {
    stage: 'create',
    thing,
    project: wanted.project,
    permission: contract.createFeature.permission,
    run: (tx) =>
      createFeatures(tx, wanted.project, [
        {
          name: wanted.name,
          type: wanted.type,
          description: wanted.description,
          impressionData: wanted.impressionData,
          stale: wanted.stale,
          createdAt: wanted.createdAt,
          owner: wanted.owner,
          expiresAt: wanted.expiresAt,
          tags: wanted.tags,
        },
      ]),
  },
];

const revival = (thing: Thing, { project }: ComparedFeature): Step => ({
  stage: 'create',
  thing,
  project,
  permission: contract.reviveFeature.permission,
  run: (tx) => reviveFeature(tx, thing.key),
});

/** A feature can't be archived while others depend on it. */
const archiving = (thing: Thing, { project, dependencies }: ComparedFeature): Step => ({
  stage: dependencies.length > 0 ? 'archive child' : 'archive',
  thing,
  project,
  permission: contract.archiveFeature.permission,
  run: (tx) => archiveFeature(tx, project, thing.key),
});

const deletion = (thing: Thing, is: ComparedFeature): Step[] => [
  ...(is.archived ? [] : [archiving(thing, is)]),
  {
    stage: 'delete',
    thing,
    project: is.project,
    permission: contract.deleteFeature.permission,
    run: (tx) => deleteFeature(tx, thing.key),
  },
];

function move(thing: Thing, is: ComparedFeature, wanted: ComparedFeature): Step[] {
  if (is.project === wanted.project) return [];
  return [
    {
      stage: 'move',
      thing,
      project: is.project,
      permission: contract.changeProject.permission,
      run: (tx) => changeProjectOf(tx, { project: is.project, feature: thing.key }, wanted.project),
    },
  ];
}

const propertiesOf = (feature: ComparedFeature) => {
  const { description, type, stale, impressionData, owner, expiresAt } = feature;
  return { description, type, stale, impressionData, owner, expiresAt };
};

function metadata(thing: Thing, is: ComparedFeature, wanted: ComparedFeature): Step[] {
  const [current, properties] = [propertiesOf(is), propertiesOf(wanted)];
  const entries = Object.entries(properties).filter(
    ([key, value]) => !isDeepStrictEqual(current[key as keyof typeof current], value),
  );
  if (entries.length === 0) return [];
  const change = Object.fromEntries(entries) as Parameters<typeof changeFeature>[2];
  return [
    {
      stage: 'change',
      thing,
      project: wanted.project,
      permission: contract.updateFeature.permission,
      run: (tx) => changeFeature(tx, { project: wanted.project, feature: thing.key }, change),
    },
  ];
}

function tagChanges(thing: Thing, is: ComparedFeature, wanted: ComparedFeature): Step[] {
  const keyOf = (tag: (typeof is.tags)[number]) => JSON.stringify([tag.type, tag.value]);
  const { added, removed } = differences(keyed(is.tags, keyOf), keyed(wanted.tags, keyOf));
  if (added.length + removed.length === 0) return [];
  return [
    {
      stage: 'change',
      thing,
      project: wanted.project,
      permission: tags.contract.changeFeatureTags.permission,
      run: (tx) => changeTags(tx, thing.key, { addedTags: added, removedTags: removed }),
    },
  ];
}

function linkChanges(thing: Thing, is: ComparedFeature, wanted: ComparedFeature): Step[] {
  const address = { project: wanted.project, feature: thing.key };
  const byId = (links: ComparedFeature['links']) => keyed(links, ({ id }) => id);
  const { added, removed, changed } = differences(byId(is.links), byId(wanted.links));
  const step = (permission: string | readonly string[], run: Step['run']): Step => ({
    ...{ stage: 'change', thing, project: wanted.project },
    permission,
    run,
  });
  return [
    ...removed.map(({ id }) =>
      step(contract.removeLink.permission, (tx) => removeLink(tx, address, id)),
    ),
    ...changed.map(({ id, ...link }) =>
      step(contract.changeLink.permission, (tx) => changeLink(tx, address, id, link)),
    ),
    ...added.map(({ id, ...link }) =>
      step(contract.addLink.permission, (tx) => addLink(tx, address, link, id)),
    ),
  ];
}

function dependencyChanges(thing: Thing, is: ComparedFeature, wanted: ComparedFeature): Step[] {
  const byParent = (of: ComparedFeature) => keyed(of.dependencies, (parent) => parent.feature);
  const { added, removed, changed } = differences(byParent(is), byParent(wanted));
  return [
    ...removed.map(
      ({ feature: parent }): Step => ({
        stage: 'loosen',
        thing,
        project: is.project,
        permission: contract.removeDependency.permission,
        run: (tx) => removeDependency(tx, { project: is.project, feature: thing.key }, parent),
      }),
    ),
    ...[...added, ...changed].map(
      (dependency): Step => ({
        stage: 'depend',
        thing,
        project: wanted.project,
        permission: contract.addDependency.permission,
        run: (tx) =>
          addDependencyOf(tx, { project: wanted.project, feature: thing.key }, dependency),
      }),
    ),
  ];
}

type Strategy = FeatureEnvironmentState['strategies'][number];

/** Additions before removals, because a feature without an enabled strategy is disabled. */
function environmentSteps(
  thing: Thing,
  project: string,
  is: FeatureEnvironmentState,
  wanted: FeatureEnvironmentState,
): Step[] {
  const environment = thing.part;
  const address = { project, featureName: thing.key, environment };
  const step = (permission: string | readonly string[], run: Step['run']): Step => ({
    ...{ stage: 'change', thing, project, environment },
    permission,
    run,
  });
  const byId = (strategies: readonly Strategy[]) => keyed(strategies, ({ id }) => id);
  const [current, strategies] = [byId(is.strategies), byId(wanted.strategies)];
  const { added, removed, changed } = differences(current, strategies);
  const isOnlyMoved = ({ sortOrder, ...strategy }: Strategy) => {
    const { sortOrder: _, ...before } = current.get(strategy.id) as Strategy;
    return isDeepStrictEqual(before, strategy);
  };
  const isMoved = ({ id, sortOrder }: Strategy) => current.get(id)?.sortOrder !== sortOrder;
  const updated = changed.filter((strategy) => !isOnlyMoved(strategy));
  // Where several have the same sort order, those that are added come last.
  const kept = is.strategies.flatMap(({ id }) => strategies.get(id) ?? []);
  const returned = [...kept, ...added].toSorted((a, b) => a.sortOrder - b.sortOrder);
  const idsOf = (listed: readonly Strategy[]) => listed.map(({ id }) => id);
  const switching = (enabled: boolean) =>
    step(contract[enabled ? 'switchFeatureOn' : 'switchFeatureOff'].permission, (tx) =>
      switchOne(tx, address, { enabled }),
    );
  return [
    ...(is.enabled && !wanted.enabled ? [switching(false)] : []),
    ...(added.length > 0
      ? [step(contract.addFeatureStrategy.permission, (tx) => returnStrategies(tx, address, added))]
      : []),
    ...updated
      .toSorted((a, b) => Number(a.disabled) - Number(b.disabled))
      .map((strategy) =>
        step(contract.updateFeatureStrategy.permission, (tx) =>
          restoreStrategy(tx, address, strategy),
        ),
      ),
    ...removed.map(({ id }) =>
      step(contract.deleteFeatureStrategy.permission, (tx) => removeStrategy(tx, address, id)),
    ),
    ...(changed.some(isMoved) || !isDeepStrictEqual(idsOf(returned), idsOf(wanted.strategies))
      ? [
          step(contract.setStrategySortOrder.permission, (tx) =>
            restoreOrder(tx, address, wanted.strategies),
          ),
        ]
      : []),
    ...(isDeepStrictEqual(is.variants, wanted.variants)
      ? []
      : [
          step(contract.replaceEnvironmentVariants.permission, (tx) =>
            restoreEnvironmentVariants(
              tx,
              { project, feature: thing.key, environment },
              wanted.variants,
            ),
          ),
        ]),
    ...(wanted.enabled && !is.enabled ? [switching(true)] : []),
  ];
}
