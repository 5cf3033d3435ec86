import type { DefinedFeature } from '../snapshot/index.ts';
import { combinations, type FlatContext, type ReadContext, readContext } from './context.ts';
import { type Place, placesOf, type Question, type Surroundings } from './places.ts';

/** JSON in pieces, made as they are asked for: an answer can be large. Nothing stands for a step without a piece. */
export type Pieces = Iterable<string | undefined>;

function* separated<Item>(
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

/** Who does not say where they are is where they are evaluated. */
const inPlace = ({ environment }: Place, context: FlatContext): FlatContext => ({
  environment,
  ...context,
});

interface SimpleInput {
  readonly environment: string;
  readonly projects: Question['projects'];
  readonly context: Readonly<Record<string, unknown>>;
}

/** What is decided for one context in one environment. */
export async function evaluate(input: SimpleInput, surroundings: Surroundings): Promise<Pieces> {
  const { environment, projects } = input;
  const read = readContext(input.context, 'one value');
  const question = { environments: [environment], projects };
  const places = await placesOf(question, surroundings, read.fields, () => '/body/environment');
  const [place] = places as [Place];
  const [only] = combinations(read.fields);
  const context = inPlace(place, only as FlatContext);
  const decisions = separated(place.features.values(), function* (feature) {
    yield JSON.stringify(yield* place.decide(feature, context));
  });
  return answer({ environment, projects, context: input.context }, decisions, read);
}

interface AdvancedInput extends Question {
  readonly context: Readonly<Record<string, unknown>>;
}

/** The features of several places, in the order of their names. */
function featuresOf(places: readonly Place[]): DefinedFeature[] {
  const byName = new Map(places.flatMap(({ features }) => [...features]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What is decided in each of the environments, for each combination of values. */
export async function evaluateAll(
  input: AdvancedInput,
  surroundings: Surroundings,
): Promise<Pieces> {
  const read = readContext(input.context, 'several values');
  const pathOf = (at: number) => `/body/environments/${at}`;
  const places = await placesOf(input, surroundings, read.fields, pathOf);

  function* decisionsIn(place: Place, name: string): Pieces {
    const { environment, features, decide } = place;
    yield `${JSON.stringify(environment)}:[`;
    yield* separated(combinations(read.fields), function* (combination) {
      const context = inPlace(place, combination);
      const decision = yield* decide(features.get(name) as DefinedFeature, context);
      yield JSON.stringify({ ...decision, environment, context });
    });
    yield ']';
  }

  function* decisionsOf({ name, project }: DefinedFeature): Pieces {
    yield `{"name":${JSON.stringify(name)},"projectId":${JSON.stringify(project)},"environments":{`;
    const there = places.filter(({ features }) => features.has(name));
    yield* separated(there, (place) => decisionsIn(place, name));
    yield '}}';
  }

  const { environments, projects, context } = input;
  const decisions = separated(featuresOf(places), decisionsOf);
  return answer({ environments, projects, context }, decisions, read);
}
