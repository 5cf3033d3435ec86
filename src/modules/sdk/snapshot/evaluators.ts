import { createCache } from '../../../platform/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import { allAtOnce, inSlices } from '../../../platform/slices.ts';
import { createCompiler, type Evaluator, type FeatureDefinition } from '../evaluation/index.ts';
import { type EvaluationScope, featuresIn, scopeKey } from './scope.ts';
import type { DefinedEnvironment, DefinedSegment, Snapshot } from './snapshot.ts';

interface CachedEvaluator {
  /** The latest snapshot for which this evaluator is known to be current. */
  snapshot: Snapshot;
  environment: DefinedEnvironment;
  readonly features: readonly FeatureDefinition[];
  /** The segments that the features use, by id; undefined if there is no such segment. */
  readonly segments: ReadonlyMap<number, DefinedSegment | undefined>;
  readonly evaluator: Evaluator;
}

/** The maximum number of features of all cached evaluators together. Tests use fewer. */
const maxFeatures = 200_000;
/** The cost of an evaluator without features, in features. */
const ownSize = 50;

function segmentsOf(
  features: CachedEvaluator['features'],
  { segments }: Snapshot,
): CachedEvaluator['segments'] {
  const used = new Map<number, DefinedSegment | undefined>();
  for (const { strategies } of features) {
    for (const strategy of strategies ?? []) {
      for (const id of strategy.segments ?? []) used.set(id, segments.get(id));
    }
  }
  return used;
}

function sameSegments(used: CachedEvaluator['segments'], { segments }: Snapshot): boolean {
  for (const [id, segment] of used) if (segments.get(id) !== segment) return false;
  return true;
}

const sameFeatures = (a: CachedEvaluator['features'], b: CachedEvaluator['features']): boolean =>
  a.length === b.length && a.every((feature, at) => feature === b[at]);

type FindEvaluator = (snapshot: Snapshot, scope: EvaluationScope) => Evaluator | Promise<Evaluator>;

/**
 * Finds the evaluator of a scope, which is cached until one of its features or segments changes. The same evaluator
 * makes the same decisions. A long compilation runs in slices; then the result is a promise.
 */
export function createEvaluators(
  now: Clock,
  exhausted?: (feature: string) => void,
  maxCost = maxFeatures,
): FindEvaluator {
  const sources = { now, ...(exhausted && { exhausted }) };
  const compile = createCompiler(sources);
  /** Anyone can invent an environment, so all that do not exist share one evaluator. */
  const nothing = allAtOnce(compile({ features: [] }));
  /**
   * Scopes that are being compiled. Not a `SingleFlight`: a waiting caller does not take the result but checks again, and
   * most compilations end at once, without a promise.
   */
  const flights = new Map<string, Promise<unknown>>();
  const cache = createCache<string, CachedEvaluator>({
    maxCost,
    costOf: ({ features }) => ownSize + features.length,
  });

  function* renewed(
    found: CachedEvaluator | undefined,
    environment: DefinedEnvironment,
    snapshot: Snapshot,
    scope: EvaluationScope,
  ): Generator<void, CachedEvaluator> {
    const isSame = found?.environment.features === environment.features;
    const features =
      found && isSame
        ? found.features
        : featuresIn(snapshot, scope).map(({ definition }) => definition);
    if (found && sameSegments(found.segments, snapshot) && sameFeatures(found.features, features)) {
      found.snapshot = snapshot;
      found.environment = environment;
      return found;
    }
    const segments = [...snapshot.segments.values()];
    return {
      ...{ snapshot, environment, features },
      segments: segmentsOf(features, snapshot),
      evaluator: yield* compile({ features, segments }),
    };
  }

  const keep = (key: string, current: CachedEvaluator): Evaluator => {
    cache.set(key, current);
    return current.evaluator;
  };

  function begin(key: string, compiled: Promise<CachedEvaluator>): Promise<Evaluator> {
    const flight = compiled
      .then((fresh) => keep(key, fresh))
      .finally(() => {
        if (flights.get(key) === flight) flights.delete(key);
      });
    flights.set(key, flight);
    return flight;
  }

  const find: FindEvaluator = (snapshot, scope) => {
    const environment = snapshot.environments.get(scope.environment);
    if (!environment) return nothing;
    const key = scopeKey(scope);
    const found = cache.get(key);
    if (found?.snapshot === snapshot) return found.evaluator;
    // One compilation at a time for each scope: the next caller, who may have a later snapshot, reuses its result.
    const flight = flights.get(key);
    if (flight) return flight.then(() => findLater(key, snapshot, scope));
    const compiled = inSlices(renewed(found, environment, snapshot, scope));
    return compiled instanceof Promise ? begin(key, compiled) : keep(key, compiled);
  };

  /** Runs after a compilation that another caller began, perhaps with a later snapshot. */
  const findLater: (...of: [string, ...Parameters<FindEvaluator>]) => ReturnType<FindEvaluator> = (
    key,
    snapshot,
    scope,
  ) => {
    const found = cache.get(key);
    const isNewer = found && found.snapshot.revision > snapshot.revision;
    return isNewer ? found.evaluator : find(snapshot, scope);
  };

  return find;
}
