import { digestOf } from '../../../platform/http/entity-tag.ts';
import type { DefinedFeature, DefinedSegment, Snapshot } from './snapshot.ts';

type Strategies = NonNullable<DefinedFeature['definition']['strategies']>;

/**
 * SDKs do not get disabled strategies. A feature without any other strategy would then be enabled for everyone, so
 * it is sent as disabled.
 */
function selectEnabledStrategies(feature: DefinedFeature) {
  const { enabled, strategies } = feature.definition;
  const enabledStrategies = (strategies ?? []).filter(({ disabled }) => !disabled);
  return {
    enabled: enabled && (enabledStrategies.length > 0 || (strategies ?? []).length === 0),
    strategies: enabledStrategies,
  };
}

const strategyOf = ({ name, constraints, parameters, variants }: Strategies[number]) => ({
  name,
  constraints: constraints ?? [],
  parameters: parameters ?? {},
  variants: variants ?? [],
});

/** A feature as JSON, before and after its strategies. */
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

/** What SDKs receive of a feature or segment: its JSON, and the hash of that. */
interface ClientText {
  readonly json: string;
  readonly digest: string;
}

const texts = new WeakMap<object, ClientText>();

/** Each part is rendered and hashed once, so that a change of one among thousands is cheap. */
function textOf<Part extends object>(part: Part, render: (part: Part) => string): ClientText {
  const cached = texts.get(part);
  if (cached !== undefined) return cached;
  const json = render(part);
  const text = { json, digest: digestOf(json) };
  texts.set(part, text);
  return text;
}

function renderFeature(feature: DefinedFeature): string {
  const { enabled, strategies } = selectEnabledStrategies(feature);
  const { before, after } = aroundStrategies(feature, enabled);
  const rendered = strategies.map((strategy) =>
    JSON.stringify({
      ...strategyOf(strategy),
      ...((strategy.segments ?? []).length > 0 && { segments: strategy.segments }),
    }),
  );
  return `${before}${rendered.join()}${after}`;
}

const renderSegment = ({ id, name, constraints }: DefinedSegment): string =>
  JSON.stringify({ id, name, constraints });

export const clientText = (feature: DefinedFeature): ClientText => textOf(feature, renderFeature);
export const segmentText = (segment: DefinedSegment): ClientText => textOf(segment, renderSegment);

/** A feature as JSON, for SDKs that resolve segments themselves. */
export const clientJson = (feature: DefinedFeature): string => clientText(feature).json;

const constraintTexts = new WeakMap<DefinedSegment, string>();

/** The constraints of a segment, without the brackets of the list. Thousands of features may use the same segment. */
function constraintsJson(segment: DefinedSegment): string {
  const cached = constraintTexts.get(segment);
  if (cached !== undefined) return cached;
  const json = JSON.stringify(segment.constraints).slice(1, -1);
  constraintTexts.set(segment, json);
  return json;
}

/** The constraints of a strategy, its own first: each without the brackets of the list, generated on demand. */
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
 * The same for SDKs without segments: constraints of segments are added to those of the strategies. In pieces,
 * because a segment shared by a hundred features appears a hundred times and should not be in memory at once.
 */
export function* inlinedClientJson(
  feature: DefinedFeature,
  snapshot: Pick<Snapshot, 'segments'>,
): Generator<string> {
  const { enabled, strategies } = selectEnabledStrategies(feature);
  // Most features have no segments, and their text exists already.
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

/** The segments that these features use, by id. */
export function segmentsOf(
  features: Iterable<DefinedFeature>,
  { segments }: Snapshot,
): DefinedSegment[] {
  const ids = new Set<number>();
  for (const feature of features) {
    for (const { segments: own } of selectEnabledStrategies(feature).strategies)
      for (const id of own ?? []) ids.add(id);
  }
  return [...ids].sort((a, b) => a - b).flatMap((id) => segments.get(id) ?? []);
}
