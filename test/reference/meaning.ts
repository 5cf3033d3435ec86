import type { ClientDefinitions } from './exchange.ts';

/** Requests whose responses contain lists without a defined order. */
const unordered =
  /^(GET \/api\/admin\/(context|segments|strategies|tags|tag-types|projects|environments)(\/project\/default|\/default\/(overview|health-report|features)|\/simple|\/team)?|GET .*(\/archive\/features|\/archive\/features\/default|\/parents|\/tags|\/strategies\/[^/]*|(context|segments)\/[^/]*\/strategies)|POST .*(\/export|\/validate))$/;
/** The order of these lists always matters. */
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

/** A key that distinguishes the items of a list. */
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

/** Sorts the lists of a response that have no defined order. */
export const withoutOrder = (ask: string, answer: unknown): unknown =>
  unordered.test(ask) ? sorted(answer) : answer;

/** Lists that mean the same empty and absent. */
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

/** Segments that a strategy uses. The reference also returns segments of other environments. */
function named({ features, segments }: ClientDefinitions): ClientDefinitions['segments'] {
  const strategies = Object.values(
    features as Record<string, { strategies: { segments?: string[] }[] }>,
  );
  const names = new Set(
    strategies.flatMap((feature) => feature.strategies.flatMap((each) => each.segments ?? [])),
  );
  return Object.fromEntries(Object.entries(segments).filter(([name]) => names.has(name)));
}

/** What SDKs receive, without values that no SDK distinguishes from absent ones: an empty description, a default `false`. */
export const meaningOf = (definitions: ClientDefinitions): ClientDefinitions => ({
  features: meant(definitions.features) as ClientDefinitions['features'],
  segments: meant(named(definitions)) as ClientDefinitions['segments'],
});
