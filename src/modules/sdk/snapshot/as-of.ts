import type { Db } from '../../../platform/db/database.ts';
import { grouped } from '../../../platform/grouped.ts';
import { createSlices } from '../../../platform/slices.ts';
import { type AsOf, type Past, readPast } from '../../history/index.ts';
import { defineFeature } from './read-features.ts';
import type { DefinedEnvironment, DefinedFeature, DefinedSegment, Snapshot } from './snapshot.ts';

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;

/** The active features of each environment. */
async function featuresOf(past: Past): Promise<ReadonlyMap<string, DefinedFeature[]>> {
  const environmentsOf = grouped(past.list('project-environment'), ({ key }) => key);
  const found = new Map(past.list('environment').map(({ key }) => [key, [] as DefinedFeature[]]));
  const slices = createSlices();
  for (const { state: feature } of past.list('feature')) {
    if (feature.archivedAt !== null) continue;
    const facts = {
      ...feature,
      tags: feature.tags.map(({ type, value }) => `${type}:${value}`).sort(),
      parents: feature.dependencies,
    };
    for (const { part: environment } of environmentsOf.get(feature.project) ?? []) {
      const state = past.find('feature-environment', feature.name, environment);
      const nothing = { enabled: false, variants: [], strategies: [] };
      found.get(environment)?.push(defineFeature(facts, state ?? nothing));
    }
    if (slices.isOver()) await slices.pause();
  }
  return found;
}

const segmentsOf = (past: Past): ReadonlyMap<number, DefinedSegment> =>
  new Map(
    past
      .list('segment')
      .map(({ state: { id, name, constraints } }) => [id, { id, name, constraints }] as const)
      .sort(([a], [b]) => a - b),
  );

/** Everything that SDKs evaluated with at a moment of the past, in these environments. */
export const readSnapshotAsOf = async (
  db: Db,
  moment: AsOf,
  environments: readonly string[],
): Promise<Snapshot> => (await readSnapshotWithPast(db, moment, environments)).snapshot;

/** The same with the states from which it was computed. */
export async function readSnapshotWithPast(
  db: Db,
  moment: AsOf,
  environments: readonly string[],
): Promise<{ readonly snapshot: Snapshot; readonly past: Past }> {
  const past = await readPast(db, moment, [
    {
      kinds: ['feature', 'environment', 'segment', 'feature-environment', 'project-environment'],
      environments,
    },
  ]);
  const features = await featuresOf(past);
  const defined = past
    .list('environment')
    .map(({ state }) => state)
    .sort((a, b) => a.sortOrder - b.sortOrder || byName(a, b))
    .map(({ name, type }): [string, DefinedEnvironment] => {
      const own = (features.get(name) ?? []).sort(byName);
      return [name, { name, type, features: new Map(own.map((each) => [each.name, each])) }];
    });
  const snapshot = {
    ...{ revision: past.eventId, environments: new Map(defined), segments: segmentsOf(past) },
  };
  return { snapshot, past };
}
