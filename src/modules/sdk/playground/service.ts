import type { DefinedFeature } from '../snapshot/index.ts';
import { combinations, type FlatContext, type ReadContext, readContext } from './context.ts';
import {
  type PlaygroundEnvironment,
  type PlaygroundSelection,
  type PlaygroundSources,
  selectEnvironments,
} from './environments.ts';

/** JSON in pieces, generated on demand, because a response can be large. Undefined is a step without a piece. */
export type Pieces = Iterable<string | undefined>;

export function* separated<Item>(
  items: Iterable<Item>,
  write: (item: Item) => Pieces,
): Generator<string | undefined> {
  let separator = '';
  for (const item of items) {
    yield separator;
    yield* write(item);
    separator = ',';
  }
}

function* answer(input: unknown, features: Pieces, { invalid }: ReadContext): Pieces {
  yield `{"input":${JSON.stringify(input)},"features":[`;
  yield* features;
  const warnings = { invalidContextProperties: invalid };
  yield invalid.length === 0 ? ']}' : `],"warnings":${JSON.stringify(warnings)}}`;
}

/** The default of the context field `environment` is the evaluated environment. */
export const withEnvironment = (
  { environment }: Pick<PlaygroundEnvironment, 'environment'>,
  context: FlatContext,
): FlatContext => ({
  environment,
  ...context,
});

interface SimpleInput {
  readonly environment: string;
  readonly projects: PlaygroundSelection['projects'];
  readonly context: Readonly<Record<string, unknown>>;
}

/** Evaluates one context in one environment. */
export async function evaluate(input: SimpleInput, sources: PlaygroundSources): Promise<Pieces> {
  const { environment, projects } = input;
  const read = readContext(input.context, 'one value');
  const selection = { environments: [environment], projects };
  const targets = await selectEnvironments(
    selection,
    sources,
    read.fields,
    () => '/body/environment',
  );
  const [target] = targets as [PlaygroundEnvironment];
  const [only] = combinations(read.fields);
  const context = withEnvironment(target, only as FlatContext);
  const decisions = separated(target.features.values(), function* (feature) {
    yield JSON.stringify(yield* target.decide(feature, context));
  });
  return answer({ environment, projects, context: input.context }, decisions, read);
}

interface AdvancedInput extends PlaygroundSelection {
  readonly context: Readonly<Record<string, unknown>>;
}

/** The features of several environments, sorted by name. */
function featuresOf(targets: readonly PlaygroundEnvironment[]): DefinedFeature[] {
  const byName = new Map(targets.flatMap(({ features }) => [...features]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Evaluates every combination of values in each environment. */
export async function evaluateAll(
  input: AdvancedInput,
  sources: PlaygroundSources,
): Promise<Pieces> {
  const read = readContext(input.context, 'several values');
  const pathOf = (at: number) => `/body/environments/${at}`;
  const targets = await selectEnvironments(input, sources, read.fields, pathOf);

  function* decisionsIn(target: PlaygroundEnvironment, name: string): Pieces {
    const { environment, features, decide } = target;
    yield `${JSON.stringify(environment)}:[`;
    yield* separated(combinations(read.fields), function* (combination) {
      const context = withEnvironment(target, combination);
      const decision = yield* decide(features.get(name) as DefinedFeature, context);
      yield JSON.stringify({ ...decision, environment, context });
    });
    yield ']';
  }

  function* decisionsOf({ name, project }: DefinedFeature): Pieces {
    yield `{"name":${JSON.stringify(name)},"projectId":${JSON.stringify(project)},"environments":{`;
    const withFeature = targets.filter(({ features }) => features.has(name));
    yield* separated(withFeature, (target) => decisionsIn(target, name));
    yield '}}';
  }

  const { environments, projects, context } = input;
  const decisions = separated(featuresOf(targets), decisionsOf);
  return answer({ environments, projects, context }, decisions, read);
}
