import type { Clock } from '../../../platform/clock.ts';
import { createConstraints } from './constraint.ts';
import type {
  Context,
  Definition,
  Evaluation,
  FeatureDefinition,
  SegmentDefinition,
  StrategyDefinition,
} from './definition.ts';
import { type CompiledParent, compileParent } from './dependency.ts';
import { absent, type CompiledFeature, compileFeature } from './feature.ts';
import type { Outcome } from './outcome.ts';
import { createProgram, type EntryPoint, type Program, withConditions } from './program.ts';
import { createReading, type Reading } from './reading.ts';
import { allSteps, type Steps } from './steps.ts';
import type { Chance } from './stickiness.ts';

export interface Sources {
  /** The time for contexts without `currentTime`. */
  readonly now?: Clock;
  readonly chance?: Chance;
  /** Called with the first feature of an evaluation whose text matching exceeded the step limit. */
  readonly exhausted?: (feature: string) => void;
}

/** A feature with its parents, and its entry point in the program. */
export interface Entry {
  readonly feature: CompiledFeature;
  readonly parents: readonly CompiledParent[];
  readonly entryPoint: EntryPoint;
}

export interface Decisions {
  /** In the order of the definition. The array is reused, and valid until the next evaluation. */
  readonly numbers: Int32Array;
  /** Whether time or chance affected the decisions: the same context may get others next time. */
  readonly areFleeting: boolean;
}

export interface Evaluator {
  /** Evaluates a feature. An unknown feature is off. */
  readonly evaluate: (name: string, context: Context) => Evaluation;
  /** Evaluates all features, in the order of the definition. */
  readonly evaluateAll: (context: Context) => Evaluation[];
  /** All possible outcomes. */
  readonly outcomes: readonly Outcome[];
  /** Returns the number of the outcome, or undefined for an unknown feature. */
  readonly decide: (name: string, context: Context) => number | undefined;
  readonly decideAll: (context: Context) => Decisions;
}

export interface Compiled extends Pick<Program, 'run'> {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly outcomes: readonly Outcome[];
  readonly begin: Reading['begin'];
}

/** A compiled feature, with the segments that it was compiled with. */
interface FeatureWithSegments {
  readonly feature: CompiledFeature;
  readonly segments: ReadonlyMap<number, SegmentDefinition | undefined>;
}

type SegmentsById = ReadonlyMap<number, SegmentDefinition>;

function areSameSegments(now: SegmentsById, segments: FeatureWithSegments['segments']): boolean {
  for (const [id, segment] of segments) if (now.get(id) !== segment) return false;
  return true;
}

type FindFeature = (
  definition: FeatureDefinition,
  segments: SegmentsById,
) => Steps<CompiledFeature>;

/** Compiles features and segments once each, cached by identity. */
function createFeatures(reading: Reading, chance: Chance): FindFeature {
  const constraints = createConstraints(reading);
  const compiled = new WeakMap<FeatureDefinition, FeatureWithSegments>();
  return function* (definition, segments) {
    const found = compiled.get(definition);
    if (found && areSameSegments(segments, found.segments)) return found.feature;
    const used = new Map<number, SegmentDefinition | undefined>();
    const segment = (id: number) => {
      const wanted = segments.get(id);
      used.set(id, wanted);
      return constraints.segment(id, wanted);
    };
    const prepare = (strategy: StrategyDefinition) =>
      constraints.prepare(strategy, (id) => segments.get(id));
    const shared = { compile: constraints.compile, segment, prepare };
    const feature = yield* compileFeature(definition, shared, { reading, chance });
    compiled.set(definition, { feature, segments: used });
    return feature;
  };
}

const noParents: readonly CompiledParent[] = [];

/** Assembles compiled features into a program, and compiles missing ones. */
function* assemble(
  definition: Definition,
  find: FindFeature,
  begin: Reading['begin'],
): Steps<Compiled> {
  const segments = new Map((definition.segments ?? []).map((segment) => [segment.id, segment]));
  const outcomes: Outcome[] = [];
  const { emit, run } = createProgram();
  const entries = new Map<string, Entry>();
  /** The features with parents, and the number of the first outcome of each. */
  const children = new Map<string, number>();
  for (const each of definition.features) {
    const feature = yield* find(each, segments);
    yield;
    const { branches, otherwise, hasParents } = feature;
    const first = outcomes.length;
    for (const outcome of feature.outcomes) outcomes.push(outcome);
    // A feature with parents is never a parent, so its code without them is never run. The entry reserves its position.
    const entryPoint = emit(hasParents ? [] : branches, otherwise, first);
    if (hasParents) children.set(each.name, first);
    else children.delete(each.name);
    entries.set(each.name, { feature, parents: noParents, entryPoint });
  }
  for (const [name, first] of children) {
    const { feature } = entries.get(name) as Entry;
    const parents = (feature.definition.dependencies ?? []).map((dependency) =>
      compileParent(dependency, entries.get(dependency.feature), { outcomes, run }),
    );
    const wanted = parents.map(({ holds }) => holds);
    const branches = feature.branches.flatMap((branch) => withConditions(branch, wanted));
    const entryPoint = emit(branches, feature.otherwise, first);
    entries.set(name, { feature, parents, entryPoint });
    yield;
  }
  return { entries, outcomes, run, begin };
}

/**
 * Compiles many definitions that share features. After a change of one of 10,000 features, assembling them takes a
 * fifteenth of the time of compiling all.
 */
function createAssembler({ now, chance = Math.random }: Sources = {}) {
  const reading = createReading(now);
  const find = createFeatures(reading, chance);
  return (definition: Definition) => assemble(definition, find, reading.begin);
}

export const compileEntries = (definition: Definition, sources?: Sources): Steps<Compiled> =>
  createAssembler(sources)(definition);

/** Like `createCompiler`, in steps, so that other requests are served in between: 10,000 features take a second. */
export function createSteppedCompiler(
  sources: Sources = {},
): (definition: Definition) => Steps<Evaluator> {
  const assembler = createAssembler(sources);
  return function* (definition) {
    return evaluatorOf(yield* assembler(definition), sources);
  };
}

/** Evaluators of one compiler share features and readings, so only one of them may evaluate at a time. */
export function createCompiler(sources?: Sources): (definition: Definition) => Evaluator {
  const compiler = createSteppedCompiler(sources);
  return (definition) => allSteps(compiler(definition));
}

export const compile = (definition: Definition, sources?: Sources): Evaluator =>
  createCompiler(sources)(definition);

function evaluatorOf(
  { entries, outcomes, run, begin }: Compiled,
  { exhausted = () => undefined }: Sources,
): Evaluator {
  const names = [...entries.keys()];
  const entryPoints = [...entries.values()].map(({ entryPoint }) => entryPoint);
  const numbers = Int32Array.from(entryPoints, (each) => (typeof each === 'number' ? each : -1));
  /** The decisions that depend on the context: their index, and the address of their code. The others are fixed. */
  const indexes: number[] = [];
  const addresses: number[] = [];
  entryPoints.forEach((entryPoint, index) => {
    if (typeof entryPoint === 'number') return;
    indexes.push(index);
    addresses.push(entryPoint.address);
  });

  function decideAll(context: Context): Decisions {
    const facts = begin(context);
    let isExhausted = false;
    for (let at = 0; at < addresses.length; at += 1) {
      numbers[indexes[at] as number] = run(addresses[at] as number, facts);
      if (facts.stepsLeft < 0 && !isExhausted) {
        isExhausted = true;
        exhausted(names[indexes[at] as number] as string);
      }
    }
    return { numbers, areFleeting: facts.isFleeting };
  }
  function decide(name: string, context: Context): number | undefined {
    const entryPoint = entries.get(name)?.entryPoint;
    if (typeof entryPoint !== 'object') return entryPoint;
    const facts = begin(context);
    const number = run(entryPoint.address, facts);
    if (facts.stepsLeft < 0) exhausted(name);
    return number;
  }
  const evaluationOf = (number: number) => (outcomes[number] as Outcome).evaluation;
  return {
    evaluate(name, context) {
      const number = decide(name, context);
      return number === undefined ? absent(name) : evaluationOf(number);
    },
    evaluateAll(context) {
      const evaluations: Evaluation[] = [];
      for (const number of decideAll(context).numbers) evaluations.push(evaluationOf(number));
      return evaluations;
    },
    outcomes,
    decide,
    decideAll,
  };
}
