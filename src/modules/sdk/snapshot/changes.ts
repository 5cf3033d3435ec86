import type { Change, DefinedEnvironment, Snapshot } from './snapshot.ts';

function* featureChanges(
  revision: number,
  before: DefinedEnvironment | undefined,
  after: DefinedEnvironment | undefined,
): Generator<Change> {
  const environment = (after ?? before)?.name as string;
  for (const [key, old] of before?.features ?? []) {
    const fresh = after?.features.get(key);
    if (fresh === old) continue;
    yield { revision, kind: 'feature', environment, key, before: old, after: fresh };
  }
  for (const [key, fresh] of after?.features ?? []) {
    if (before?.features.has(key)) continue;
    yield { revision, kind: 'feature', environment, key, after: fresh };
  }
}

/** Yields what was changed, added or removed. Unchanged parts are the same value in both snapshots. */
export function* changesBetween(before: Snapshot, after: Snapshot): Generator<Change> {
  const { revision } = after;
  for (const [id, segment] of after.segments) {
    const old = before.segments.get(id);
    if (old === segment) continue;
    yield { revision, kind: 'segment', before: old, after: segment };
  }
  for (const name of new Set([...before.environments.keys(), ...after.environments.keys()])) {
    const [old, fresh] = [before.environments.get(name), after.environments.get(name)];
    if (old?.features !== fresh?.features) yield* featureChanges(revision, old, fresh);
  }
  for (const [id, segment] of before.segments) {
    if (!after.segments.has(id)) yield { revision, kind: 'segment', before: segment };
  }
}
