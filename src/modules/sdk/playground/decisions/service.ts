import type { Static } from 'typebox';
import type { Explanation } from '../../evaluation/index.ts';
import type { DefinedFeature } from '../../snapshot/index.ts';
import {
  combinations,
  countCombinations,
  type Fields,
  type FlatContext,
  readContext,
} from '../context.ts';
import {
  createExplain,
  maxAnswerLength,
  maxDecisions,
  type PlaygroundSources,
  refuseTooMuch,
  selectFeatures,
  tooMuch,
} from '../environments.ts';
import { contextLengthOf } from '../response-length.ts';
import { type Pieces, separated, withEnvironment } from '../service.ts';
import { decisionWords } from '../wording.ts';
import { type decisionsContract, maxExplanationLength } from './contract.ts';
import { fieldsInUse } from './fields.ts';

type DecisionsRequest = Static<NonNullable<(typeof decisionsContract.decide)['body']>>;

/** A decision with a sentence of the greatest length, and the names of its properties. */
const decisionLength = maxExplanationLength + 200;

const shortened = (text: string): string =>
  text.length > maxExplanationLength ? `${text.slice(0, maxExplanationLength - 1)}…` : text;

type StrategyExplanation = Explanation['strategies'][number];

const isRandom = ({ condition }: StrategyExplanation): boolean =>
  condition.kind === 'rollout' &&
  condition.byChance === true &&
  condition.percentage > 0 &&
  condition.percentage < 100;

/** Whether the next evaluation may decide otherwise. */
function isByChance({ reason, evaluation, strategies, variant }: Explanation): boolean {
  if (evaluation.enabled && variant?.byChance === true) return true;
  if (reason !== 'strategy-holds' && reason !== 'no-strategy-holds') return false;
  const possible = strategies.filter(
    ({ disabled, constraints, segments }) =>
      !disabled && [...constraints, ...segments].every(({ result }) => result),
  );
  const isCertain = possible.some((strategy) => strategy.result === true && !isRandom(strategy));
  return !isCertain && possible.some(isRandom);
}

function briefly(explanation: Explanation, environment: string) {
  const { evaluation, reason, result } = explanation;
  const { enabled, variant } = evaluation;
  return {
    isEnabled: enabled,
    ...(enabled && variant.enabled && { variant: variant.name }),
    reason,
    explanation: shortened(decisionWords(explanation, environment)),
    ...(isByChance(explanation) && { byChance: true }),
    ...(result === 'unknown' && { isUnknown: true }),
  };
}

/** Whether a request is about a feature. */
function wanted({ query = '', features }: DecisionsRequest): (feature: DefinedFeature) => boolean {
  const part = query.trim().toLowerCase();
  const names = features && new Set(features);
  return ({ name }) =>
    (names === undefined || names.has(name)) && name.toLowerCase().includes(part);
}

/** The response lists every combination of values, even if no feature is evaluated with it. */
function refuseTooManyContexts(lists: readonly Fields[]): void {
  const count = lists.reduce((sum, fields) => sum + countCombinations(fields), 0);
  if (count > maxDecisions) {
    throw tooMuch(`The contexts have more than ${maxDecisions} combinations of values.`);
  }
  const length = lists.reduce(
    (sum, fields) => sum + countCombinations(fields) * contextLengthOf(fields),
    0,
  );
  if (length > maxAnswerLength) {
    throw tooMuch(
      `The response would be longer than ${maxAnswerLength / 1024 / 1024} MB: it lists the combinations of values.`,
    );
  }
}

/** Made again for each use: all of them at once would take much memory, and others would wait for it. */
function* contextsOf(
  lists: readonly Fields[],
): Generator<{ readonly of: number; readonly values: FlatContext }> {
  for (const [of, fields] of lists.entries()) {
    for (const values of combinations(fields)) yield { of, values };
  }
}

/** Evaluates each context of a list in each environment. */
export async function decide(input: DecisionsRequest, sources: PlaygroundSources): Promise<Pieces> {
  const isWanted = wanted(input);
  const visible = selectFeatures(input, sources, (at) => `/body/environments/${at}`);
  const targets = visible.map(({ environment, features }) => ({
    environment,
    features: new Map([...features].filter(([, feature]) => isWanted(feature))),
    // Parents are found among all of them.
    explain: createExplain(features, sources),
  }));
  const read = input.contexts.map((context) => readContext(context, 'several values'));
  const lists = read.map(({ fields }) => fields);
  refuseTooManyContexts(lists);
  await refuseTooMuch(targets, lists, sources, () => () => decisionLength);
  const names = [...new Set(targets.flatMap(({ features }) => [...features.keys()]))].sort();
  const all = targets.flatMap(({ features }) => [...features.values()]);
  const fields = fieldsInUse(all, sources.snapshot.segments);

  function* decisionsOf(name: string): Pieces {
    const withFeature = targets.filter(({ features }) => features.has(name));
    const projectId = withFeature[0]?.features.get(name)?.project;
    yield `{"name":${JSON.stringify(name)},"projectId":${JSON.stringify(projectId)},"environments":{`;
    yield* separated(withFeature, function* (target) {
      const { environment, features, explain } = target;
      yield `${JSON.stringify(environment)}:[`;
      yield* separated(contextsOf(lists), function* ({ values }) {
        const feature = features.get(name) as DefinedFeature;
        const explanation = yield* explain(feature, withEnvironment(target, values));
        yield JSON.stringify(briefly(explanation, environment));
      });
      yield ']';
    });
    yield '}}';
  }

  function* answer(): Pieces {
    yield '{"contexts":[';
    yield* separated(contextsOf(lists), function* (context) {
      yield JSON.stringify(context);
    });
    yield `],"fields":${JSON.stringify(fields)},"features":[`;
    yield* separated(names, decisionsOf);
    const invalidContextProperties = [...new Set(read.flatMap(({ invalid }) => invalid))];
    yield invalidContextProperties.length === 0
      ? ']}'
      : `],"warnings":${JSON.stringify({ invalidContextProperties })}}`;
  }
  return answer();
}
