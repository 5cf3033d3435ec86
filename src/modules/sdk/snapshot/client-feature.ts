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

function bodyOf(feature: DefinedFeature, strategies: readonly object[], enabled: boolean): string {
  const { name, project, type, description, stale, definition } = feature;
  const { impressionData, variants, dependencies } = definition;
  return JSON.stringify({
    ...{ name, type, description, project, stale, enabled, impressionData, strategies, variants },
    ...(dependencies && { dependencies }),
  });
}

const byReference = new WeakMap<DefinedFeature, string>();

/** A feature as SDKs know it that look segments up themselves, as JSON. */
export function clientJson(feature: DefinedFeature): string {
  const known = byReference.get(feature);
  if (known !== undefined) return known;
  const { enabled, strategies } = told(feature);
  const json = bodyOf(
    feature,
    strategies.map((strategy) => ({
      ...strategyOf(strategy),
      ...((strategy.segments ?? []).length > 0 && { segments: strategy.segments }),
    })),
    enabled,
  );
  byReference.set(feature, json);
  return json;
}

/** The same for SDKs that know no segments: their constraints stand with those of the strategies. */
export function inlinedClientJson(
  feature: DefinedFeature,
  { segments }: Pick<Snapshot, 'segments'>,
): string {
  const { enabled, strategies } = told(feature);
  // Most features have none, and their text is there already.
  if (strategies.every((strategy) => (strategy.segments ?? []).length === 0)) {
    return clientJson(feature);
  }
  const inlined = strategies.map((strategy) => {
    const shared = (strategy.segments ?? []).flatMap((id) => segments.get(id)?.constraints ?? []);
    const own = strategyOf(strategy);
    return { ...own, constraints: [...own.constraints, ...shared] };
  });
  return bodyOf(feature, inlined, enabled);
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
