/** The search, written the slow and obvious way: a loop over all events in memory. */
export interface ModelEvent {
  readonly id: number;
  readonly createdAt: string;
  readonly type: string;
  readonly createdBy: string;
  readonly createdByUserId: number;
  readonly project: string | null;
  readonly featureName: string | null;
  readonly environment: string | null;
  readonly data: object | null;
  readonly preData: object | null;
  readonly tags: readonly object[];
}

export type ModelSearch = Partial<
  Record<
    | 'query'
    | 'queryIn'
    | 'project'
    | 'feature'
    | 'environment'
    | 'type'
    | 'createdBy'
    | 'notProject'
    | 'notFeature'
    | 'notEnvironment'
    | 'notType'
    | 'notCreatedBy'
    | 'id'
    | 'from'
    | 'to'
    | 'createdAfter'
    | 'createdBefore'
    | 'order'
    | 'limit'
    | 'offset',
    string
  >
>;

const foldLetter = (letter: string) =>
  letter === '\u{10FFFF}' ? '\u{10FFFE}' : letter.toUpperCase().toLowerCase();
const foldText = (text: string) => [...text].map(foldLetter).join('');

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(strings);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...strings(item)]);
}

const has = (value: unknown, query: string) =>
  [JSON.stringify(value), ...strings(value)].some((text) =>
    foldText(text).includes(foldText(query)),
  );

const accepts = (filter: string | undefined, matches: (value: string) => boolean): boolean => {
  if (filter === undefined) return true;
  if (filter.startsWith('IS:')) return filter !== 'IS:' && matches(filter.slice(3));
  return filter
    .slice('IS_ANY_OF:'.length)
    .split(',')
    .map((value) => value.trim())
    .some((value) => value !== '' && matches(value));
};

function matches(event: ModelEvent, search: ModelSearch): boolean {
  const is = (value: string | null) => (wanted: string) => value === wanted;
  const day = event.createdAt.slice(0, 10);
  const searched = {
    data: event.data,
    preData: event.preData,
    tags: event.tags.length > 0 ? event.tags : null,
  };
  const isCreator = (who: string) =>
    /^-?\d+$/.test(who) ? event.createdByUserId === Number(who) : event.createdBy === who;
  const excludes = (filter: string | undefined, matches: (value: string) => boolean) =>
    filter !== undefined && accepts(filter, matches);
  const parts = (search.queryIn ?? 'data').split(',') as (keyof typeof searched)[];
  return (
    accepts(search.project, is(event.project)) &&
    accepts(search.feature, is(event.featureName)) &&
    accepts(search.environment, is(event.environment)) &&
    accepts(search.type, is(event.type)) &&
    accepts(search.id, (id) => event.id === Number(id)) &&
    accepts(search.createdBy, isCreator) &&
    !excludes(search.notProject, is(event.project)) &&
    !excludes(search.notFeature, is(event.featureName)) &&
    !excludes(search.notEnvironment, is(event.environment)) &&
    !excludes(search.notType, is(event.type)) &&
    !excludes(search.notCreatedBy, isCreator) &&
    (!search.from || `IS:${day}` >= search.from) &&
    (!search.to || `IS:${day}` <= search.to) &&
    (!search.createdAfter || event.createdAt > search.createdAfter) &&
    (!search.createdBefore || event.createdAt < search.createdBefore) &&
    (!search.query ||
      parts.some((part) => searched[part] !== null && has(searched[part], search.query ?? '')))
  );
}

export function searchModel(log: readonly ModelEvent[], search: ModelSearch) {
  const hits = log.filter((event) => matches(event, search)).map(({ id }) => id);
  const ordered = search.order === 'asc' ? hits : hits.reverse();
  const offset = Number(search.offset ?? 0);
  return {
    total: hits.length,
    ids: ordered.slice(offset, offset + Number(search.limit ?? 50)),
  };
}
