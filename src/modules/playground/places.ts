import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { Actor } from '../../platform/db/database.ts';
import { badData } from '../../platform/errors.ts';
import type { DefinedFeature, Snapshot } from '../definitions/index.ts';
import { compileExplainer } from '../evaluation/index.ts';
import { contextLengthOf, createEstimate } from './answer-length.ts';
import { contextOf, countCombinations, type Fields, type FlatContext } from './context.ts';
import { decisionOf } from './decision.ts';

/** As many as a page can show: 15 MB of them, a second of work, in small parts. */
const maxDecisions = 15_000;

/** The same where definitions or contexts are large: fewer decisions then make a page. */
const maxAnswerLength = 64 * 1024 * 1024;

/** Others get their turn in between: so many are measured in a millisecond. */
const sliceLength = 200;

export interface Question {
  readonly environments: readonly string[];
  readonly projects: '*' | readonly string[];
}

type Features = ReadonlyMap<string, DefinedFeature>;

/** One environment, with what decides there. */
export interface Place {
  readonly environment: string;
  readonly features: Features;
  readonly decide: (feature: DefinedFeature, context: FlatContext) => ReturnType<typeof decisionOf>;
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
    return compileExplainer({ features: concerned, segments }, { now: clock });
  }
  // One feature is asked for with all contexts before the next.
  let last: { readonly of: DefinedFeature; readonly explainer: ReturnType<typeof compiled> };
  return (feature: DefinedFeature, context: FlatContext) => {
    if (last?.of !== feature) last = { of: feature, explainer: compiled(feature) };
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
  let length = 0;
  let measured = 0;
  for (const { features } of found) {
    for (const feature of features.values()) {
      length += combined * estimate(feature);
      if (length > maxAnswerLength) {
        throw tooMuch(
          `The answer would be longer than ${maxAnswerLength / 1024 / 1024} MB: ${count * combined} decisions, with ` +
            'what is set for each of them and the context.',
        );
      }
      measured += 1;
      if (measured % sliceLength === 0) await setImmediate();
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
      decide: (feature, context) =>
        decisionOf({ feature, environment, explanation: explain(feature, context) }),
    };
  });
}
