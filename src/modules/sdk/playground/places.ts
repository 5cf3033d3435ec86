import type { Clock } from '../../../platform/clock.ts';
import type { Actor } from '../../../platform/db/database.ts';
import { badData } from '../../../platform/errors.ts';
import { createSlices } from '../../../platform/slices.ts';
import { type Explanation, explainerInSteps } from '../evaluation/index.ts';
import type { DefinedFeature, Snapshot } from '../snapshot/index.ts';
import { contextLengthOf, createEstimate } from './answer-length.ts';
import { contextOf, countCombinations, type Fields, type FlatContext } from './context.ts';
import { decisionOf } from './decision.ts';
import { createMatching } from './matching.ts';

/** As many as a page can show: 15 MB of them, a second of work, in small parts. */
const maxDecisions = 15_000;

/** The same where definitions or contexts are large: fewer decisions then make a page. */
const maxAnswerLength = 64 * 1024 * 1024;

/** Steps of matching regular expressions, of about 0.1 µs each. */
const maxMatching = 20_000_000;

export interface Question {
  readonly environments: readonly string[];
  readonly projects: '*' | readonly string[];
}

type Features = ReadonlyMap<string, DefinedFeature>;
type Explainer = StepResult<ReturnType<typeof explainerInSteps>>;
type StepResult<Steps> = Steps extends Generator<unknown, infer Result> ? Result : never;

/** One environment, with what decides there. */
export interface Place {
  readonly environment: string;
  readonly features: Features;
  /** In steps, between which others get their turn. */
  readonly decide: (
    feature: DefinedFeature,
    context: FlatContext,
  ) => Generator<undefined, ReturnType<typeof decisionOf>>;
}

/** Undefined: whatever the project is. */
function visible({ projects }: Question, { sees }: Actor): ReadonlySet<string> | undefined {
  if (sees === 'all') return projects === '*' ? undefined : new Set(projects);
  return projects === '*' ? sees : new Set(projects.filter((project) => sees.has(project)));
}

export interface Surroundings {
  readonly snapshot: Snapshot;
  readonly actor: Actor;
  readonly clock: Clock;
}

/** What explains a feature, compiled when it is asked for: with its parents, and the segments that these use. */
function createExplain(features: Features, { snapshot, clock }: Surroundings) {
  function compiled({ definition }: DefinedFeature) {
    const parents = (definition.dependencies ?? []).flatMap(({ feature }) => {
      const parent = features.get(feature);
      return parent ? [parent.definition] : [];
    });
    const concerned = [definition, ...parents];
    const ids = new Set(
      concerned.flatMap(({ strategies }) =>
        (strategies ?? []).flatMap(({ segments }) => segments ?? []),
      ),
    );
    const segments = [...ids].flatMap((id) => snapshot.segments.get(id) ?? []);
    return explainerInSteps({ features: concerned, segments }, { now: clock });
  }
  // One feature is asked for with all contexts before the next.
  let last: { readonly of: DefinedFeature; readonly explainer: Explainer } | undefined;
  return function* (
    feature: DefinedFeature,
    context: FlatContext,
  ): Generator<undefined, Explanation> {
    if (last?.of !== feature) {
      const steps = compiled(feature);
      let step = steps.next();
      for (; !step.done; step = steps.next()) yield undefined;
      last = { of: feature, explainer: step.value };
    }
    return last.explainer.explain(feature.name, contextOf(context));
  };
}

const tooMuch = (message: string) =>
  badData([
    { path: '/body', message: `${message} Ask for fewer environments, projects or values.` },
  ]);

async function refuseTooMuch(
  found: readonly Pick<Place, 'features'>[],
  fields: Fields,
  { snapshot }: Surroundings,
): Promise<void> {
  const combined = countCombinations(fields);
  const count = found.reduce((sum, { features }) => sum + features.size, 0);
  if (count === 0) return;
  if (count * combined > maxDecisions) {
    throw tooMuch(
      `More than ${maxDecisions} decisions would be made: ${count} features in ${found.length} environments, each ` +
        `for ${combined} combinations of values.`,
    );
  }
  const estimate = createEstimate(snapshot.segments, contextLengthOf(fields));
  const matchingOf = createMatching(snapshot.segments, fields);
  const slices = createSlices();
  let length = 0;
  let steps = 0;
  for (const { features } of found) {
    for (const feature of features.values()) {
      length += combined * estimate(feature);
      if (length > maxAnswerLength) {
        throw tooMuch(
          `The answer would be longer than ${maxAnswerLength / 1024 / 1024} MB: ${count * combined} decisions, with ` +
            'what is set for each of them and the context.',
        );
      }
      steps += combined * matchingOf(feature);
      if (steps > maxMatching) {
        throw tooMuch(
          'The regular expressions of these features are too large for that many decisions.',
        );
      }
      if (slices.isOver()) await slices.pause();
    }
  }
}

/** The environments with the features that are asked for; refuses what would be too much. */
export async function placesOf(
  question: Question,
  surroundings: Surroundings,
  fields: Fields,
  pathOf: (index: number) => string,
): Promise<Place[]> {
  const { environments } = surroundings.snapshot;
  const unknown = question.environments.flatMap((name, index) =>
    environments.has(name)
      ? []
      : [{ path: pathOf(index), message: `${pathOf(index)}: there is no environment '${name}'` }],
  );
  if (unknown.length > 0) throw badData(unknown);
  const projects = visible(question, surroundings.actor);
  const found = [...new Set(question.environments)].map((environment) => {
    const all: Features = environments.get(environment)?.features ?? new Map();
    const own = projects && new Map([...all].filter(([, { project }]) => projects.has(project)));
    return { environment, features: own ?? all };
  });
  await refuseTooMuch(found, fields, surroundings);
  return found.map(({ environment, features }) => {
    const explain = createExplain(features, surroundings);
    return {
      environment,
      features,
      *decide(feature, context) {
        const explanation = yield* explain(feature, context);
        return decisionOf({ feature, environment, explanation });
      },
    };
  });
}
