import type { Clock } from '../../platform/clock.ts';
import { compileConstraints, every } from './constraint.ts';
import type { Context, Definition, Evaluation } from './definition.ts';
import { type CompiledParent, compileParent } from './dependency.ts';
import { absent, type CompiledFeature, compileFeature, type Decide } from './feature.ts';
import { createReading, type Reading } from './reading.ts';
import type { Chance } from './stickiness.ts';

export interface Sources {
  /** The time of contexts that do not say theirs. */
  readonly now?: Clock;
  readonly chance?: Chance;
}

/** A feature with its parents, and what decides over it. */
export interface Entry {
  readonly feature: CompiledFeature;
  readonly parents: readonly CompiledParent[];
  readonly decide: Decide;
}

export interface Evaluator {
  /** What is decided of a feature; one that does not exist is off. */
  readonly evaluate: (name: string, context: Context) => Evaluation;
  /** All features, in the order of the definition. */
  readonly evaluateAll: (context: Context) => Evaluation[];
}

function compileEntry(
  feature: CompiledFeature,
  find: (name: string) => CompiledFeature | undefined,
): Entry {
  const parents = (feature.definition.dependencies ?? []).map((dependency) =>
    compileParent(dependency, find(dependency.feature)),
  );
  const { alone, off } = feature;
  if (parents.length === 0) return { feature, parents, decide: alone };
  const satisfied = every(parents.map(({ holds }) => holds));
  return { feature, parents, decide: (facts) => (satisfied(facts) ? alone(facts) : off) };
}

export interface Compiled {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly begin: Reading['begin'];
}

/** Everything that does not depend on the context is worked out here, once. */
export function compileEntries(
  definition: Definition,
  { now, chance = Math.random }: Sources = {},
): Compiled {
  const reading = createReading(now);
  const shared = compileConstraints(definition.segments ?? [], reading);
  const features = new Map<string, CompiledFeature>();
  for (const feature of definition.features) {
    features.set(feature.name, compileFeature(feature, shared, { reading, chance }));
  }
  const entries = new Map<string, Entry>();
  for (const [name, feature] of features) {
    entries.set(
      name,
      compileEntry(feature, (parent) => features.get(parent)),
    );
  }
  return { entries, begin: reading.begin };
}

export function compile(definition: Definition, sources?: Sources): Evaluator {
  const { entries, begin } = compileEntries(definition, sources);
  const decisions = [...entries.values()].map(({ decide }) => decide);
  return {
    evaluate: (name, context) => entries.get(name)?.decide(begin(context)) ?? absent(name),
    evaluateAll(context) {
      const facts = begin(context);
      return decisions.map((decide) => decide(facts));
    },
  };
}
