import { isDeepStrictEqual } from 'node:util';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, invalidOperation, notFound } from '../../../../platform/errors.ts';
import { sees } from '../../../../platform/permission.ts';
import { record, recordEach } from '../../../events/index.ts';
import type { Dependency } from '../feature-schema.ts';
import { findFeatureIn, getFeatureIn } from '../find-feature.ts';
import { aboutFeature, type LockedFeature, lockActiveFeature, lockFeatures } from '../lock.ts';
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

interface NewDependency {
  readonly child: LockedFeature;
  readonly dependency: Dependency;
}

/** Locks both features, in the order of their names. */
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

/** The children are locked already. Takes as many statements for many as for one. */
export async function addDependencies(tx: Tx, additions: readonly NewDependency[]): Promise<void> {
  if (additions.length === 0) return;
  const parents = await lockFeatures(
    tx,
    additions.map(({ dependency }) => dependency.feature),
  );
  await depend(tx, parents, additions);
}

/** All children and parents are locked, so that no one else can make a chain with them. */
async function depend(
  tx: Tx,
  locked: readonly LockedFeature[],
  additions: readonly NewDependency[],
): Promise<void> {
  const features = new Map(locked.map((feature) => [feature.name, feature]));
  for (const { child, dependency } of additions) {
    refuseParent(tx, child, dependency.feature, features.get(dependency.feature));
  }
  const children = additions.map(({ child }) => child.name);
  const edges = await listParents(tx.db, [...children, ...features.keys()]);
  const parents = new Map<string, Map<string, Dependency>>();
  const join = (child: string, dependency: Dependency) =>
    parents.set(child, (parents.get(child) ?? new Map()).set(dependency.feature, dependency));
  for (const { child, ...dependency } of edges) join(child, dependency);
  const havingChildren = new Set(await listHavingChildren(tx.db, children));

  const added = new Map<string, NewDependency>();
  for (const { child, dependency } of additions) {
    const { feature: parent, enabled } = dependency;
    const wanted = { feature: parent, enabled, variants: [...new Set(dependency.variants)] };
    refuseChain(child.name, parent, parents, havingChildren);
    if (isDeepStrictEqual(parents.get(child.name)?.get(parent), wanted)) continue;
    join(child.name, wanted);
    havingChildren.add(parent);
    added.set(`${child.name} ${parent}`, { child, dependency: wanted });
  }
  if (added.size === 0) return;
  await upsertDependencies(
    tx,
    [...added.values()].map(({ child, dependency }) => ({ child: child.name, ...dependency })),
  );
  await recordEach(tx, added.values(), ({ child, dependency }) =>
    featureDependencyAdded({ ...aboutFeature(child), data: dependency }),
  );
}

function refuseParent(
  tx: Tx,
  child: LockedFeature,
  name: string,
  parent: LockedFeature | undefined,
): void {
  // The answer must not reveal that a feature exists in a project which the actor does not see.
  if (!parent || !sees(tx.actor, parent.project)) {
    throw badData([{ path: '/body/feature', message: `Feature '${name}' not found` }]);
  }
  if (name === child.name) throw invalidOperation(`'${name}' cannot depend on itself`);
  if (parent.project !== child.project) {
    throw invalidOperation(
      `'${child.name}' cannot depend on '${name}', which is in another project, '${parent.project}'`,
    );
  }
  if (parent.archivedAt) {
    throw invalidOperation(`'${child.name}' cannot depend on '${name}', which is archived`);
  }
}

/** Dependencies are one level deep, which also rules out cycles. */
function refuseChain(
  child: string,
  parent: string,
  parents: ReadonlyMap<string, ReadonlyMap<string, Dependency>>,
  havingChildren: ReadonlySet<string>,
): void {
  if (parents.has(parent)) {
    throw invalidOperation(
      `'${child}' cannot depend on '${parent}', which itself depends on another feature`,
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
  const child = await lockActiveFeature(tx, project, name);
  if (!(await deleteDependency(tx, name, parent))) throw notFound('dependency on', parent);
  record(tx, featureDependencyRemoved({ ...aboutFeature(child), data: { feature: parent } }));
}

export async function removeDependencies(
  tx: Tx,
  { project, feature: name }: { readonly project: string; readonly feature: string },
): Promise<void> {
  await removeParents(tx, [await lockActiveFeature(tx, project, name)]);
}

/** Records an event only for features that had a parent. */
export async function removeParents(tx: Tx, features: readonly LockedFeature[]): Promise<void> {
  const had = await deleteParents(
    tx,
    features.map(({ name }) => name),
  );
  const dependent = features.filter(({ name }) => had.has(name));
  await recordEach(tx, dependent, (feature) => featureDependenciesRemoved(aboutFeature(feature)));
}

/** None for a feature with children, because dependencies are one level deep. */
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
  // Not a 404: pages ask before anyone has chosen a parent.
  const found = await findFeatureIn(db, project, feature);
  return found ? listVariantNames(db, found.name) : [];
}

export const hasDependencies = (db: Db, project: string): Promise<boolean> =>
  existsDependency(db, project);
