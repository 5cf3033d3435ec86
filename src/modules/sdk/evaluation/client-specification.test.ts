import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { type Context, compile, type Definition } from './index.ts';

type Feature = Definition['features'][number];
type Segment = NonNullable<Definition['segments']>[number];

/** An event of the delta API. */
type Delta =
  | { type: 'hydration'; features: Feature[]; segments: Segment[] }
  | { type: 'feature-updated'; feature: Feature }
  | { type: 'feature-removed'; featureName: string }
  | { type: 'segment-updated'; segment: Segment }
  | { type: 'segment-removed'; segmentId: number };

interface Case<Expected> {
  readonly description: string;
  readonly context: Context;
  readonly toggleName: string;
  readonly expectedResult: Expected;
}

interface Specification {
  readonly name: string;
  readonly state: Definition | { readonly events: readonly Delta[] };
  readonly tests?: readonly Case<boolean>[];
  readonly variantTests?: readonly Case<object>[];
}

/** Returns an SDK's definition after all events of a delta. */
function afterEvents(events: readonly Delta[]): Definition {
  const features = new Map<string, Feature>();
  const segments = new Map<number, Segment>();
  for (const event of events) {
    if (event.type === 'hydration') {
      for (const feature of event.features) features.set(feature.name, feature);
      for (const segment of event.segments) segments.set(segment.id, segment);
    } else if (event.type === 'feature-updated') features.set(event.feature.name, event.feature);
    else if (event.type === 'feature-removed') features.delete(event.featureName);
    else if (event.type === 'segment-updated') segments.set(event.segment.id, event.segment);
    else segments.delete(event.segmentId);
  }
  return { features: [...features.values()], segments: [...segments.values()] };
}

const require = createRequire(import.meta.url);
const load = <T>(file: string): T =>
  JSON.parse(
    readFileSync(require.resolve(`@unleash/client-specification/specifications/${file}`), 'utf8'),
  ) as T;
const files = load<string[]>('index.json');

test('the public test suite has at least 22 files', () => {
  expect(files.length).toBeGreaterThanOrEqual(22);
});

describe.each(files)('client specification: %s', (file) => {
  const { state, tests = [], variantTests = [] } = load<Specification>(file);
  const definition = 'events' in state ? afterEvents(state.events) : state;
  const evaluator = compile(definition);

  test('has cases', () => {
    expect(tests.length + variantTests.length).toBeGreaterThan(0);
  });

  test.each(tests)('$description', ({ toggleName, context, expectedResult }) => {
    expect(evaluator.evaluate(toggleName, context).enabled).toBe(expectedResult);
    expect(evaluator.explain(toggleName, context).evaluation.enabled).toBe(expectedResult);
  });

  test.each(variantTests)('$description', ({ toggleName, context, expectedResult }) => {
    expect(evaluator.evaluate(toggleName, context).variant).toEqual(expectedResult);
    expect(evaluator.explain(toggleName, context).evaluation.variant).toEqual(expectedResult);
  });
});
