import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../../../platform/db/database.ts';
import { createSlices } from '../../../platform/slices.ts';
import {
  type FeatureSelection,
  isAboutSegments,
  isAboutTags,
  listChangedFeatures,
  listEnvironments,
  listProjectEnvironments,
  listSegments,
  readHead,
} from './queries.ts';
import { type FeatureByEnvironment, readFeatures } from './read-features.ts';
import type { DefinedEnvironment, DefinedFeature, DefinedSegment, Snapshot } from './snapshot.ts';

/** A snapshot and the data it was made from. */
export interface SnapshotState {
  readonly snapshot: Snapshot;
  /** The environments of each active project. */
  readonly projectEnvironments: ReadonlyMap<string, readonly string[]>;
}

/** After more events than that everything is read again. */
const maxEvents = 5_000;

interface SnapshotChanges {
  readonly projectEnvironments: SnapshotState['projectEnvironments'];
  readonly segments: Snapshot['segments'];
  /** Features that were read again, by name. */
  readonly fresh: ReadonlyMap<string, FeatureByEnvironment>;
  /** Whether a feature of the old snapshot must be dropped or replaced. */
  readonly isReplaced: (feature: DefinedFeature) => boolean;
}

/** The features of one environment, updated. Returns the same map if nothing changed. */
async function updateFeatures(
  environment: string,
  previous: ReadonlyMap<string, DefinedFeature>,
  { fresh, isReplaced }: SnapshotChanges,
): Promise<ReadonlyMap<string, DefinedFeature>> {
  const slices = createSlices();
  const gone: string[] = [];
  for (const [name, feature] of previous) {
    if (isReplaced(feature) && !fresh.get(name)?.has(environment)) gone.push(name);
  }
  const written: DefinedFeature[] = [];
  for (const [name, byEnvironment] of fresh) {
    const feature = byEnvironment.get(environment);
    if (feature && !isDeepStrictEqual(feature, previous.get(name))) written.push(feature);
    if (slices.isOver()) await slices.pause();
  }
  if (gone.length === 0 && written.length === 0) return previous;
  const features = new Map(previous);
  for (const name of gone) features.delete(name);
  for (const feature of written) features.set(feature.name, feature);
  if (written.every(({ name }) => previous.has(name))) return features;
  return new Map([...features].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** All segments, updated. An unchanged segment stays the same value. */
async function readSegments(
  db: Db,
  previous?: Snapshot['segments'],
): Promise<Snapshot['segments']> {
  const slices = createSlices();
  const segments = new Map<number, DefinedSegment>();
  for (const segment of await listSegments(db)) {
    const before = previous?.get(segment.id);
    segments.set(segment.id, before && isDeepStrictEqual(before, segment) ? before : segment);
    if (slices.isOver()) await slices.pause();
  }
  return segments;
}

/**
 * Which features must be read again, and which of the old ones are dropped. Segments are read only when one of them
 * changed: 200 large ones have 70 MB, and every change of a feature would read them.
 */
async function readChanges(
  db: Db,
  before: SnapshotState | undefined,
  head: number,
): Promise<SnapshotChanges> {
  const projectEnvironments = await listProjectEnvironments(db);
  const read = (selection: FeatureSelection) => readFeatures(db, selection, projectEnvironments);
  const after = before?.snapshot.revision ?? head;
  const behind = head - after;
  if (
    !before ||
    behind < 0 ||
    behind > maxEvents ||
    (await isAboutTags(db, { after, upTo: head }))
  ) {
    const segments = await readSegments(db, before?.snapshot.segments);
    return { projectEnvironments, segments, fresh: await read('all'), isReplaced: () => true };
  }
  const previous = before.snapshot.segments;
  const segments = (await isAboutSegments(db, { after, upTo: head }))
    ? await readSegments(db, previous)
    : previous;
  const changedFeatures = new Set(await listChangedFeatures(db, { after, upTo: head }));
  const changedProjects = new Set(
    [...new Set([...projectEnvironments.keys(), ...before.projectEnvironments.keys()])].filter(
      (project) =>
        !isDeepStrictEqual(
          projectEnvironments.get(project),
          before.projectEnvironments.get(project),
        ),
    ),
  );
  const fresh = new Map([
    ...(changedFeatures.size > 0 ? await read({ names: [...changedFeatures] }) : []),
    ...(changedProjects.size > 0 ? await read({ projects: [...changedProjects] }) : []),
  ]);
  return {
    ...{ projectEnvironments, segments, fresh },
    isReplaced: ({ name, project }) => changedFeatures.has(name) || changedProjects.has(project),
  };
}

/** Reads the current definitions. `db` is one database snapshot. Unchanged parts stay the same value. */
export async function readDefinitions(db: Db, before?: SnapshotState): Promise<SnapshotState> {
  const revision = await readHead(db);
  if (before?.snapshot.revision === revision) return before;
  const changes = await readChanges(db, before, revision);
  const environments = await listEnvironments(db);
  const defined = new Map<string, DefinedEnvironment>();
  for (const { name, type } of environments) {
    const previous = before?.snapshot.environments.get(name)?.features ?? new Map();
    defined.set(name, { name, type, features: await updateFeatures(name, previous, changes) });
  }
  return {
    projectEnvironments: changes.projectEnvironments,
    snapshot: { revision, environments: defined, segments: changes.segments },
  };
}

/** A snapshot in which these features are as `db` sees them: a transaction that is going to be rolled back. */
export async function readWithin(
  db: Db,
  snapshot: Snapshot,
  { names, segments }: { readonly names: readonly string[]; readonly segments: boolean },
): Promise<Snapshot> {
  const changed = new Set(names);
  const projectEnvironments = await listProjectEnvironments(db);
  const changes: SnapshotChanges = {
    projectEnvironments,
    segments: segments ? await readSegments(db, snapshot.segments) : snapshot.segments,
    fresh: names.length > 0 ? await readFeatures(db, { names }, projectEnvironments) : new Map(),
    isReplaced: ({ name }) => changed.has(name),
  };
  const environments = new Map<string, DefinedEnvironment>();
  for (const [name, environment] of snapshot.environments) {
    const features = await updateFeatures(name, environment.features, changes);
    environments.set(name, { ...environment, features });
  }
  return { ...snapshot, environments, segments: changes.segments };
}
