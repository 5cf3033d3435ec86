import type { ClientDefinitions } from './exchange.ts';

/** Lists that have no order of their own, in answers to these requests. */
const unordered =
  /^(GET \/api\/admin\/(context|segments|strategies|tags|tag-types|projects|environments)(\/project\/default|\/default\/(overview|health-report|features)|\/simple|\/team)?|GET .*(\/archive\/features|\/archive\/features\/default|\/parents|\/tags|\/strategies\/[^/]*|(context|segments)\/[^/]*\/strategies)|POST .*(\/export|\/validate))$/;
/** In these the order means something, wherever they stand. */
const ordered = new Set(['variants', 'constraints']);

function sorted(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => sorted(item, key));
    if (ordered.has(key)) return items;
    return items
      .map((item) => [nameOf(item), item] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, item]) => item);
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, sorted(item, name)]),
  );
}

/** What tells an item of a list from the others. */
function nameOf(item: unknown): string {
  if (item === null || typeof item !== 'object') return String(item);
  const { name, featureName, type, value, environment, affectedItems } = item as Record<
    string,
    unknown
  >;
  return JSON.stringify([
    featureName ?? null,
    name ?? null,
    type,
    value,
    environment,
    affectedItems,
  ]);
}

/** An answer without the order of what has none. */
export const withoutOrder = (ask: string, answer: unknown): unknown =>
  unordered.test(ask) ? sorted(answer) : answer;

/** Lists that say nothing when they are empty. */
const lists = new Set(['values', 'overrides', 'variants']);

const isNothing = (key: string, value: unknown): boolean =>
  (key === 'description' && (value === null || value === '')) ||
  ((key === 'inverted' || key === 'caseInsensitive') && value === false) ||
  (lists.has(key) && Array.isArray(value) && value.length === 0);

function meant(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => meant(item));
    return key === 'segments' ? items.sort() : items;
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, item]) => !isNothing(name, item))
      .map(([name, item]) => [name, meant(item, name)]),
  );
}

/** Segments that a strategy names; the reference also tells those of other environments. */
function named({ features, segments }: ClientDefinitions): ClientDefinitions['segments'] {
  const strategies = Object.values(
    features as Record<string, { strategies: { segments?: string[] }[] }>,
  );
  const names = new Set(
    strategies.flatMap((feature) => feature.strategies.flatMap((each) => each.segments ?? [])),
  );
  return Object.fromEntries(Object.entries(segments).filter(([name]) => names.has(name)));
}

/** What SDKs are told, without what means nothing to any of them: no description, a `false` that is the default. */
export const meaningOf = (told: ClientDefinitions): ClientDefinitions => ({
  features: meant(told.features) as ClientDefinitions['features'],
  segments: meant(named(told)) as ClientDefinitions['segments'],
});
