import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../platform/actor.ts';
import { sees } from '../../../platform/permission.ts';
import type { FeatureDefinition } from '../evaluation/index.ts';
import type { DefinedFeature, DefinedSegment, Snapshot } from '../snapshot/index.ts';

/** What is evaluated in one environment at one time. */
export interface EvaluatedState {
  readonly features: ReadonlyMap<string, DefinedFeature>;
  readonly segments: ReadonlyMap<number, DefinedSegment>;
}

/** What someone sees of an environment. */
export function visibleState(
  snapshot: Snapshot,
  environment: string,
  actor: Actor,
): EvaluatedState {
  const all = snapshot.environments.get(environment)?.features ?? new Map();
  const features =
    actor.sees === 'all'
      ? all
      : new Map([...all].filter(([, { project }]) => sees(actor, project)));
  return { features, segments: snapshot.segments };
}

/** The states that are compared. */
export interface States {
  readonly before: EvaluatedState;
  readonly after: EvaluatedState;
}

/** Why the decisions of a feature may differ. */
type Cause = 'change' | 'segment' | 'parent';

export interface AffectedFeature {
  readonly name: string;
  readonly project: string;
  readonly cause: Cause;
}

const segmentIdsOf = ({ strategies }: FeatureDefinition): number[] =>
  (strategies ?? []).flatMap(({ segments }) => segments ?? []);

const parentsOf = ({ dependencies }: FeatureDefinition): string[] =>
  (dependencies ?? []).map(({ feature }) => feature);

/** A feature with its parents, as a state defines them. Only these affect its decisions. */
export function withParents({ features }: EvaluatedState, name: string): FeatureDefinition[] {
  const own = features.get(name)?.definition;
  if (!own) return [];
  const parents = parentsOf(own).flatMap((parent) => features.get(parent)?.definition ?? []);
  return [own, ...parents];
}

/** The segments that these definitions use, as a state defines them. */
export function segmentsOf(
  { segments }: EvaluatedState,
  definitions: readonly FeatureDefinition[],
): DefinedSegment[] {
  const ids = new Set(definitions.flatMap(segmentIdsOf));
  return [...ids].flatMap((id) => segments.get(id) ?? []);
}

function changedSegments({ before, after }: States): Set<number> {
  const changed = new Set<number>();
  for (const id of new Set([...before.segments.keys(), ...after.segments.keys()])) {
    const [one, other] = [before.segments.get(id), after.segments.get(id)];
    if (one === other) continue;
    if (!isDeepStrictEqual(one?.constraints, other?.constraints)) changed.add(id);
  }
  return changed;
}

/**
 * The features whose decisions may differ: those that differ themselves, those that use a different segment, and the
 * children of both. Those that differ themselves come first.
 */
export function* findAffected(states: States): Generator<void, AffectedFeature[]> {
  const { before, after } = states;
  const segments = changedSegments(states);
  const names = [...new Set([...before.features.keys(), ...after.features.keys()])].sort();
  const sidesOf = (name: string) =>
    [before, after].flatMap(({ features }) => features.get(name)?.definition ?? []);

  const causes = new Map<string, Cause>();
  for (const name of names) {
    const [one, other] = [before.features.get(name), after.features.get(name)];
    if (one !== other && !isDeepStrictEqual(one?.definition, other?.definition)) {
      causes.set(name, 'change');
    } else if (
      segments.size > 0 &&
      sidesOf(name)
        .flatMap(segmentIdsOf)
        .some((id) => segments.has(id))
    ) {
      causes.set(name, 'segment');
    }
    yield;
  }
  const changed = new Set(causes.keys());
  for (const name of changed.size === 0 ? [] : names) {
    const isChild = sidesOf(name)
      .flatMap(parentsOf)
      .some((parent) => changed.has(parent));
    if (isChild && !changed.has(name)) causes.set(name, 'parent');
    yield;
  }
  const order: readonly Cause[] = ['change', 'segment', 'parent'];
  return order.flatMap((cause) =>
    names
      .filter((name) => causes.get(name) === cause)
      .map((name) => {
        const { project } = (after.features.get(name) ??
          before.features.get(name)) as DefinedFeature;
        return { name, project, cause };
      }),
  );
}
