/** A feature with everything the search reads, in memory. */
export interface ModelFeature {
  readonly name: string;
  readonly project: string;
  readonly type: string;
  readonly description: string;
  readonly stale: boolean;
  readonly archived: boolean;
  readonly createdAt: string;
  readonly creator: { readonly id: number; readonly name: string };
  readonly favorite: boolean;
  readonly stage: string;
  readonly tags: readonly { readonly type: string; readonly value: string }[];
  /** By environment of its project. */
  readonly environments: Readonly<
    Record<
      string,
      {
        readonly enabled: boolean;
        readonly lastSeenAt: string | null;
        readonly segments: readonly string[];
      }
    >
  >;
}

/** The parameters of a search, as in its URL. */
export type ModelSearch = Readonly<Record<string, string>>;

const single = ['IS', 'IS_NOT', 'INCLUDE', 'DO_NOT_INCLUDE'];

/** Whether a feature with these values matches the filter. */
function accepts(filter: string | undefined, has: (value: string) => boolean): boolean {
  if (filter === undefined) return true;
  const operator = filter.slice(0, filter.indexOf(':'));
  const text = filter.slice(operator.length + 1);
  const values = (single.includes(operator) ? [text] : text.split(',').map((value) => value.trim()))
    .filter((value) => value !== '')
    .map(has);
  switch (operator) {
    case 'IS':
    case 'IS_ANY_OF':
    case 'INCLUDE':
    case 'INCLUDE_ANY_OF':
      return values.some(Boolean);
    case 'IS_NOT':
    case 'IS_NONE_OF':
    case 'DO_NOT_INCLUDE':
    case 'EXCLUDE_IF_ANY_OF':
      return !values.some(Boolean);
    case 'INCLUDE_ALL_OF':
      return values.length > 0 && values.every(Boolean);
    case 'EXCLUDE_ALL':
      return !(values.length > 0 && values.every(Boolean));
    default:
      throw new Error(`the model does not know ${operator}`);
  }
}

const lastSeen = ({ environments }: ModelFeature): string | null =>
  Object.values(environments)
    .flatMap(({ lastSeenAt }) => lastSeenAt ?? [])
    .sort()
    .at(-1) ?? null;

function onDay(filter: string | undefined, at: string | null): boolean {
  if (filter === undefined) return true;
  const [operator, day = ''] = filter.split(':');
  if (at === null) return operator === 'IS_BEFORE_OR_NEVER';
  const before = at.slice(0, 10) < day;
  return operator === 'IS_ON_OR_AFTER' ? !before : before;
}

function matches(feature: ModelFeature, search: ModelSearch, lifetimes: Lifetimes, now: number) {
  const lifetime = lifetimes[feature.type];
  const age = (now - Date.parse(feature.createdAt)) / 86_400_000;
  const states: Record<string, boolean> = {
    active: !feature.stale,
    stale: feature.stale,
    'potentially-stale': !feature.stale && lifetime != null && age >= lifetime,
  };
  const texts = [
    feature.name,
    feature.description,
    ...feature.tags.map(({ type, value }) => `${type}:${value}`),
  ].map((text) => text.toLowerCase());
  const wanted = (search.query ?? '')
    .split(',')
    .map((text) => text.split(' ').filter((word) => word !== ''))
    .filter((words) => words.length > 0);
  const used = Object.values(feature.environments).flatMap(({ segments }) => segments);
  const statuses = search.status?.split(',').map((status) => status.split(':'));
  return (
    feature.archived === (search.archived === 'IS:true') &&
    (wanted.length === 0 ||
      wanted.some((words) =>
        words.every((word) => texts.some((text) => text.includes(word.toLowerCase()))),
      )) &&
    accepts(search.project, (value) => value === feature.project) &&
    accepts(search.type, (value) => value === feature.type) &&
    accepts(search.state, (value) => states[value] === true) &&
    accepts(search.lifecycle, (value) => value === feature.stage) &&
    accepts(search.createdBy, (value) =>
      /^-?\d+$/.test(value) ? Number(value) === feature.creator.id : value === feature.creator.name,
    ) &&
    accepts(search.tag, (value) =>
      feature.tags.some((tag) => `${tag.type}:${tag.value}` === value),
    ) &&
    accepts(search.segment, (value) => used.includes(value)) &&
    (statuses === undefined ||
      statuses.some(([name = '', state]) => {
        const environment = feature.environments[name];
        return environment !== undefined && environment.enabled === (state === 'enabled');
      })) &&
    // In the model, the type of an environment is its name.
    accepts(search.enabledIn, (value) => feature.environments[value]?.enabled === true) &&
    onDay(search.createdAt, feature.createdAt) &&
    onDay(search.lastSeenAt, lastSeen(feature))
  );
}

/** The sort key of a feature. Missing values come first. */
function keyOf(feature: ModelFeature, sortBy: string): string | number {
  if (sortBy.startsWith('environment:')) {
    const environment = feature.environments[sortBy.slice('environment:'.length)];
    return environment ? (environment.enabled ? 2 : 1) : 0;
  }
  if (sortBy === 'lastSeenAt') return lastSeen(feature) ?? '';
  if (sortBy === 'stale') return feature.stale ? 1 : 0;
  return feature[sortBy as 'name' | 'createdAt' | 'type' | 'project'];
}

const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);

type Lifetimes = Readonly<Record<string, number | null>>;

/** The search, written the slow and obvious way. */
export function searchFeaturesModel(
  features: readonly ModelFeature[],
  search: ModelSearch,
  { lifetimes, now }: { readonly lifetimes: Lifetimes; readonly now: number },
) {
  const { sortBy = 'createdAt', sortOrder = 'asc', favoritesFirst, offset = '0' } = search;
  const sign = sortOrder === 'desc' ? -1 : 1;
  const hits = features
    .filter((feature) => matches(feature, search, lifetimes, now))
    .sort(
      (a, b) =>
        (favoritesFirst === 'true' ? Number(b.favorite) - Number(a.favorite) : 0) ||
        sign * compare(keyOf(a, sortBy), keyOf(b, sortBy)) ||
        compare(a.createdAt, b.createdAt) ||
        compare(a.name, b.name),
    )
    .map(({ name }) => name);
  const first = Number(offset);
  return { total: hits.length, names: hits.slice(first, first + Number(search.limit ?? 50)) };
}
