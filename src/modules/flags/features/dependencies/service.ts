import { isDeepStrictEqual } from 'node:util';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, invalidOperation, notFound } from '../../../../platform/errors.ts';
import { sees } from '../../../../platform/permission.ts';
import { record, recordEach } from '../../../events/index.ts';
import type { Dependency } from '../feature-schema.ts';
import { findFeatureIn, getFeatureIn } from '../find-feature.ts';
import { getLivingFeature, type LockedFeature, lockFeatures, placeOf } from '../lock.ts';
import {
  featureDependenciesRemoved,
  featureDependencyAdded,
  featureDependencyRemoved,
} from './events.ts';
import {
  deleteDependency,
  deleteParents,
  existsDependency,
  listHavingChildren,
  listIndependent,
  listParents,
  listVariantNames,
  upsertDependencies,
} from './queries.ts';

interface Wish {
  readonly child: LockedFeature;
  readonly dependency: Dependency;
}

/** Makes a living feature depend on another; both are locked, in the order of their names. */
export async function addDependencyOf(
  tx: Tx,
  { project, feature: name }: { readonly project: string; readonly feature: string },
  dependency: Dependency,
): Promise<void> {
  const locked = await lockFeatures(tx, [name, dependency.feature]);
  const child = locked.find((feature) => feature.name === name);
  if (child?.project !== project || child.archivedAt) throw notFound('feature', name);
  await depend(tx, locked, [{ child, dependency }]);
}

/** Several at once, in as many statements as one. */
export async function addDependencies(tx: Tx, wishes: readonly Wish[]): Promise<void> {
  if (wishes.length === 0) return;
  const parents = await lockFeatures(
    tx,
    wishes.map(({ dependency }) => dependency.feature),
  );
  await depend(tx, parents, wishes);
}

/** Every child and parent is locked by now, so that nobody makes a chain of what is read here. */
async function depend(
  tx: Tx,
  locked: readonly LockedFeature[],
  wishes: readonly Wish[],
): Promise<void> {
  const features = new Map(locked.map((feature) => [feature.name, feature]));
  for (const { child, dependency } of wishes) {
    refuseParent(tx, child, dependency.feature, features.get(dependency.feature));
  }
  const children = wishes.map(({ child }) => child.name);
  const edges = await listParents(tx.db, [...children, ...features.keys()]);
  const parents = new Map<string, Map<string, Dependency>>();
  const join = (child: string, dependency: Dependency) =>
    parents.set(child, (parents.get(child) ?? new Map()).set(dependency.feature, dependency));
  for (const { child, ...dependency } of edges) join(child, dependency);
  const havingChildren = new Set(await listHavingChildren(tx.db, children));

  const added = new Map<string, Wish>();
  for (const { child, dependency } of wishes) {
    const { feature: parent, enabled } = dependency;
    const wish = { feature: parent, enabled, variants: [...new Set(dependency.variants)] };
    refuseChain(child.name, parent, parents, havingChildren);
    if (isDeepStrictEqual(parents.get(child.name)?.get(parent), wish)) continue;
    join(child.name, wish);
    havingChildren.add(parent);
    added.set(`${child.name} ${parent}`, { child, dependency: wish });
  }
  if (added.size === 0) return;
  await upsertDependencies(
    tx,
    [...added.values()].map(({ child, dependency }) => ({ child: child.name, ...dependency })),
  );
  await recordEach(tx, added.values(), ({ child, dependency }) =>
    featureDependencyAdded({ ...placeOf(child), data: dependency }),
  );
}

function refuseParent(
  tx: Tx,
  child: LockedFeature,
  name: string,
  parent: LockedFeature | undefined,
): void {
  // One in a project that the caller may not know of is as good as none.
  if (!parent || !sees(tx.actor, parent.project)) {
    throw badData([{ path: '/body/feature', message: `There is no feature '${name}'` }]);
  }
  if (name === child.name) throw invalidOperation(`'${name}' cannot depend on itself`);
  if (parent.project !== child.project) {
    throw invalidOperation(
      `'${child.name}' cannot depend on '${name}', which lives in another project, '${parent.project}'`,
    );
  }
  if (parent.archivedAt) {
    throw invalidOperation(`'${child.name}' cannot depend on '${name}', which is archived`);
  }
}

/** Dependencies are one level deep: that keeps out every cycle, too. */
function refuseChain(
  child: string,
  parent: string,
  parents: ReadonlyMap<string, ReadonlyMap<string, Dependency>>,
  havingChildren: ReadonlySet<string>,
): void {
  if (parents.has(parent)) {
    throw invalidOperation(
      `'${child}' cannot depend on '${parent}', which depends on another feature itself`,
    );
  }
  if (havingChildren.has(child)) {
    throw invalidOperation(
      `'${child}' cannot depend on '${parent}', because other features depend on '${child}'`,
    );
  }
}

export async function removeDependency(
  tx: Tx,
  { project, feature: name }: { readonly project: string; readonly feature: string },
  parent: string,
): Promise<void> {
  const child = await getLivingFeature(tx, project, name);
  if (!(await deleteDependency(tx, name, parent))) throw notFound('dependency on', parent);
  record(tx, featureDependencyRemoved({ ...placeOf(child), data: { feature: parent } }));
}

export async function removeDependencies(
  tx: Tx,
  { project, feature: name }: { readonly project: string; readonly feature: string },
): Promise<void> {
  await removeParents(tx, [await getLivingFeature(tx, project, name)]);
}

/** Makes features independent of all others; the log tells of those that were not. */
export async function removeParents(tx: Tx, features: readonly LockedFeature[]): Promise<void> {
  const had = await deleteParents(
    tx,
    features.map(({ name }) => name),
  );
  const dependent = features.filter(({ name }) => had.has(name));
  await recordEach(tx, dependent, (feature) => featureDependenciesRemoved(placeOf(feature)));
}

/** Those that adding a dependency would take: none, where others depend on the feature already. */
export async function listPossibleParents(
  db: Db,
  { project, feature: name }: { readonly project: string; readonly feature: string },
): Promise<string[]> {
  const feature = await getFeatureIn(db, project, name);
  if (feature.archivedAt) throw notFound('feature', name);
  if ((await listHavingChildren(db, [name])).length > 0) return [];
  return (await listIndependent(db, project)).filter((each) => each !== name);
}

export async function listParentVariants(
  db: Db,
  { project, feature }: { readonly project: string; readonly feature: string },
): Promise<string[]> {
  // Of a feature that is not there none: pages ask before one is chosen.
  const found = await findFeatureIn(db, project, feature);
  return found ? listVariantNames(db, found.name) : [];
}

export const hasDependencies = (db: Db, project: string): Promise<boolean> =>
  existsDependency(db, project);
