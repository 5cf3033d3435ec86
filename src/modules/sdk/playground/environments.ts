import type { Actor } from '../../../platform/actor.ts';
import type { Clock } from '../../../platform/clock.ts';
import { badData } from '../../../platform/errors.ts';
import { createSlices } from '../../../platform/slices.ts';
import type { NamedEvent } from '../../history/index.ts';
import {
  type Context,
  createCompiler,
  type Evaluator,
  type Explanation,
} from '../evaluation/index.ts';
import type { DefinedFeature, Snapshot } from '../snapshot/index.ts';
import { contextOf, countCombinations, type Fields, type FlatContext } from './context.ts';
import { decisionOf } from './decision.ts';
import { createMatching } from './matching.ts';
import { contextLengthOf, createEstimate } from './response-length.ts';

/** As many as a page can show: 15 MB and a second of work, in small steps. */
export const maxDecisions = 15_000;

/** The same limit for large definitions or contexts. */
export const maxAnswerLength = 64 * 1024 * 1024;

/** Steps of matching regular expressions, of about 0.1 µs each. */
const maxMatching = 20_000_000;

export interface PlaygroundSelection {
  readonly environments: readonly string[];
  readonly projects: '*' | readonly string[];
}

type Features = ReadonlyMap<string, DefinedFeature>;

/** An environment with its features, and a function that evaluates them. */
export interface PlaygroundEnvironment {
  readonly environment: string;
  readonly features: Features;
  /** In steps, between which other work can run. */
  readonly decide: (
    feature: DefinedFeature,
    context: FlatContext,
  ) => Generator<undefined, ReturnType<typeof decisionOf> & { readonly changedBy?: NamedEvent }>;
}

/** Undefined: all projects. */
function visibleProjects(
  { projects }: PlaygroundSelection,
  { sees }: Actor,
): ReadonlySet<string> | undefined {
  if (sees === 'all') return projects === '*' ? undefined : new Set(projects);
  return projects === '*' ? sees : new Set(projects.filter((project) => sees.has(project)));
}

/** The last event that changed something which the decision about a feature of an environment depends on. */
export type ChangedBy = (feature: DefinedFeature) => NamedEvent | undefined;

export interface PlaygroundSources {
  readonly snapshot: Snapshot;
  readonly actor: Actor;
  readonly clock: Clock;
  /** For a moment of the past. */
  readonly changedBy?: ChangedBy;
}

/** Explains a feature. Compiled on demand, with its parents and their segments. */
export function createExplain(features: Features, { snapshot, clock }: PlaygroundSources) {
  const compile = createCompiler({ now: clock });

  function compiled({ definition }: DefinedFeature) {
    const parents = (definition.dependencies ?? []).flatMap(({ feature }) => {
      const parent = features.get(feature);
      return parent ? [parent.definition] : [];
    });
    const ids = new Set(
      [definition, ...parents].flatMap(({ strategies }) =>
        (strategies ?? []).flatMap(({ segments }) => segments ?? []),
      ),
    );
    const segments = [...ids].flatMap((id) => snapshot.segments.get(id) ?? []);
    return compile({ features: parents, segments }, definition);
  }
  // One feature is evaluated with all contexts before the next.
  let last: { readonly of: DefinedFeature; readonly evaluator: Evaluator } | undefined;
  let lastContext: { readonly of: FlatContext; readonly context: Context } | undefined;
  return function* (
    feature: DefinedFeature,
    context: FlatContext,
  ): Generator<undefined, Explanation> {
    if (last?.of !== feature) {
      const steps = compiled(feature);
      let step = steps.next();
      for (; !step.done; step = steps.next()) yield undefined;
      last = { of: feature, evaluator: step.value };
    }
    if (lastContext?.of !== context) lastContext = { of: context, context: contextOf(context) };
    return last.evaluator.explain(feature.name, lastContext.context);
  };
}

export const tooMuch = (message: string) =>
  badData([
    { path: '/body', message: `${message} Request fewer environments, projects, or values.` },
  ]);

/** Refuses evaluations of more than a page can show. `lengthOf` is the expected length of the response for one context. */
export async function refuseTooMuch(
  selected: readonly Pick<PlaygroundEnvironment, 'features'>[],
  contexts: readonly Fields[],
  { snapshot }: PlaygroundSources,
  lengthOf: (fields: Fields) => (feature: DefinedFeature) => number = (fields) =>
    createEstimate(snapshot.segments, contextLengthOf(fields)),
): Promise<void> {
  const combined = contexts.reduce((sum, fields) => sum + countCombinations(fields), 0);
  const count = selected.reduce((sum, { features }) => sum + features.size, 0);
  if (count === 0) return;
  if (count * combined > maxDecisions) {
    throw tooMuch(
      `The request needs more than ${maxDecisions} evaluations: ${count} features in ${selected.length} environments, ` +
        `each for ${combined} combinations of values.`,
    );
  }
  const costs = contexts.map((fields) => ({
    combined: countCombinations(fields),
    estimate: lengthOf(fields),
    matchingOf: createMatching(snapshot.segments, fields),
  }));
  const slices = createSlices();
  let length = 0;
  let steps = 0;
  for (const { features } of selected) {
    for (const feature of features.values()) {
      for (const cost of costs) {
        length += cost.combined * cost.estimate(feature);
        steps += cost.combined * cost.matchingOf(feature);
      }
      if (length > maxAnswerLength) {
        throw tooMuch(
          `The response would be longer than ${maxAnswerLength / 1024 / 1024} MB: ${count * combined} evaluations, with ` +
            'their configuration and the context.',
        );
      }
      if (steps > maxMatching) {
        throw tooMuch(
          'The regular expressions of these features are too large for so many evaluations.',
        );
      }
      if (slices.isOver()) await slices.pause();
    }
  }
}

/** The selected environments with the features that the caller can see. */
export function selectFeatures(
  selection: PlaygroundSelection,
  sources: PlaygroundSources,
  pathOf: (index: number) => string,
): { readonly environment: string; readonly features: Features }[] {
  const { environments } = sources.snapshot;
  const unknown = selection.environments.flatMap((name, index) =>
    environments.has(name)
      ? []
      : [{ path: pathOf(index), message: `${pathOf(index)}: environment '${name}' not found` }],
  );
  if (unknown.length > 0) throw badData(unknown);
  const projects = visibleProjects(selection, sources.actor);
  return [...new Set(selection.environments)].map((environment) => {
    const all: Features = environments.get(environment)?.features ?? new Map();
    const own = projects && new Map([...all].filter(([, { project }]) => projects.has(project)));
    return { environment, features: own ?? all };
  });
}

/** The selected environments with their features. Refuses selections that are too large. */
export async function selectEnvironments(
  selection: PlaygroundSelection,
  sources: PlaygroundSources,
  fields: Fields,
  pathOf: (index: number) => string,
): Promise<PlaygroundEnvironment[]> {
  const selected = selectFeatures(selection, sources, pathOf);
  await refuseTooMuch(selected, [fields], sources);
  return selected.map(({ environment, features }) => {
    const explain = createExplain(features, sources);
    return {
      environment,
      features,
      *decide(feature, context) {
        const explanation = yield* explain(feature, context);
        const changedBy = sources.changedBy?.(feature);
        const decision = decisionOf({ feature, environment, explanation });
        return { ...decision, ...(changedBy && { changedBy }) };
      },
    };
  });
}
