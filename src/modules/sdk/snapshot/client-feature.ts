import type { DefinedFeature, DefinedSegment, Snapshot } from './snapshot.ts';

type Strategies = NonNullable<DefinedFeature['definition']['strategies']>;

/** SDKs are not told of disabled strategies; and a feature none of whose strategies is left would be on for all. */
function told(feature: DefinedFeature) {
  const { enabled, strategies } = feature.definition;
  const asked = (strategies ?? []).filter(({ disabled }) => !disabled);
  return {
    enabled: enabled && (asked.length > 0 || (strategies ?? []).length === 0),
    strategies: asked,
  };
}

const strategyOf = ({ name, constraints, parameters, variants }: Strategies[number]) => ({
  name,
  constraints: constraints ?? [],
  parameters: parameters ?? {},
  variants: variants ?? [],
});

/** A feature as JSON, up to its strategies and behind them. */
function aroundStrategies(feature: DefinedFeature, enabled: boolean) {
  const { name, project, type, description, stale, definition } = feature;
  const { impressionData, variants = [], dependencies } = definition;
  const head = { name, type, description, project, stale, enabled, impressionData };
  const rest = { variants, ...(dependencies && { dependencies }) };
  return {
    before: `${JSON.stringify(head).slice(0, -1)},"strategies":[`,
    after: `],${JSON.stringify(rest).slice(1)}`,
  };
}

const byReference = new WeakMap<DefinedFeature, string>();

/** A feature as SDKs know it that look segments up themselves, as JSON. */
export function clientJson(feature: DefinedFeature): string {
  const known = byReference.get(feature);
  if (known !== undefined) return known;
  const { enabled, strategies } = told(feature);
  const { before, after } = aroundStrategies(feature, enabled);
  const texts = strategies.map((strategy) =>
    JSON.stringify({
      ...strategyOf(strategy),
      ...((strategy.segments ?? []).length > 0 && { segments: strategy.segments }),
    }),
  );
  const json = `${before}${texts.join()}${after}`;
  byReference.set(feature, json);
  return json;
}

const constraintTexts = new WeakMap<DefinedSegment, string>();

/** The constraints of a segment as the inside of a list. Thousands of features may use the same. */
function constraintsJson(segment: DefinedSegment): string {
  const known = constraintTexts.get(segment);
  if (known !== undefined) return known;
  const json = JSON.stringify(segment.constraints).slice(1, -1);
  constraintTexts.set(segment, json);
  return json;
}

/** The constraints of a strategy, its own first: each the inside of a list, and made when it is asked for. */
function* constraintTextsOf(
  { constraints, segments: ids }: Strategies[number],
  { segments }: Pick<Snapshot, 'segments'>,
): Generator<string> {
  yield JSON.stringify(constraints ?? []).slice(1, -1);
  for (const id of ids ?? []) {
    const segment = segments.get(id);
    if (segment) yield constraintsJson(segment);
  }
}

function* inlinedConstraints(
  strategy: Strategies[number],
  snapshot: Pick<Snapshot, 'segments'>,
): Generator<string> {
  let separator = '';
  for (const text of constraintTextsOf(strategy, snapshot)) {
    if (text === '') continue;
    yield separator;
    yield text;
    separator = ',';
  }
}

/**
 * The same for SDKs that know no segments: their constraints stand with those of the strategies. In pieces: what a
 * hundred features share stands there a hundred times, and nobody should have to hold all of it.
 */
export function* inlinedClientJson(
  feature: DefinedFeature,
  snapshot: Pick<Snapshot, 'segments'>,
): Generator<string> {
  const { enabled, strategies } = told(feature);
  // Most features have none, and their text is there already.
  if (strategies.every((strategy) => (strategy.segments ?? []).length === 0)) {
    yield clientJson(feature);
    return;
  }
  const { before, after } = aroundStrategies(feature, enabled);
  yield before;
  for (const [index, strategy] of strategies.entries()) {
    const { name, parameters, variants } = strategyOf(strategy);
    yield `${index === 0 ? '' : ','}{"name":${JSON.stringify(name)},"constraints":[`;
    yield* inlinedConstraints(strategy, snapshot);
    yield `],${JSON.stringify({ parameters, variants }).slice(1)}`;
  }
  yield after;
}

/** The segments that SDKs have to be told of for these features, by id. */
export function segmentsOf(
  features: Iterable<DefinedFeature>,
  { segments }: Snapshot,
): DefinedSegment[] {
  const ids = new Set<number>();
  for (const feature of features) {
    for (const { segments: own } of told(feature).strategies)
      for (const id of own ?? []) ids.add(id);
  }
  return [...ids].sort((a, b) => a - b).flatMap((id) => segments.get(id) ?? []);
}
