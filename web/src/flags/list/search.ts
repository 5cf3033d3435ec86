import type { viewParameters } from '../../../../src/modules/catalogue/saved-views/contract.ts';
import { stateNames } from '../feature-words.ts';

/** What the address of a list of features says. Several values of one filter are alternatives. */
export interface FeatureSearch {
  readonly query?: string;
  readonly project?: readonly string[];
  readonly type?: readonly string[];
  readonly state?: readonly string[];
  readonly lifecycle?: readonly string[];
  readonly tag?: readonly string[];
  readonly segment?: readonly string[];
  /** `development:enabled` */
  readonly status?: readonly string[];
  /** Types of environments. */
  readonly enabledIn?: readonly string[];
  /** Ids of accounts. */
  readonly createdBy?: readonly string[];
  /** `me`, `none`, `user:5` or `group:2`. */
  readonly owner?: readonly string[];
  readonly expired?: boolean;
  /** `never`, `within:7` or `before:30` (or never), in days. */
  readonly lastSeenAt?: string;
  readonly favorite?: boolean;
  readonly archived?: boolean;
  readonly sortBy?: string;
  readonly sortOrder?: 'asc' | 'desc';
  readonly columns?: readonly string[];
  /** The saved view that was opened. */
  readonly view?: number;
}

/** What saved views may have, and the view itself. The compiler finds what one of the lists lacks. */
type Parameter = (typeof viewParameters)['features'][number] | 'view';

/** As it stands in the address: a list is one text, with commas between its values. */
export type FeatureAddress = { readonly [K in Parameter]?: string | boolean };

export const listFilters = [
  'project',
  'type',
  'state',
  'lifecycle',
  'tag',
  'segment',
  'status',
  'enabledIn',
  'createdBy',
  'owner',
] as const;
export type ListFilter = (typeof listFilters)[number];

const text = (value: unknown): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) || undefined : undefined;

const escaped = (value: string) => value.replaceAll('%', '%25').replaceAll(',', '%2C');
const unescaped = (value: string) => value.replaceAll('%2C', ',').replaceAll('%25', '%');

const list = (value: unknown): string[] | undefined => {
  const values = (text(value) ?? '').split(',').filter((each) => each !== '');
  return values.length > 0 ? [...new Set(values.map(unescaped))] : undefined;
};

/** The server refuses others. */
const owners = (value: unknown): string[] | undefined => {
  const known = list(value)?.filter((each) => /^(me|none|(user|group):\d{1,10})$/.test(each));
  return known && known.length > 0 ? known : undefined;
};

const joined = (values: readonly string[] | undefined): string | undefined =>
  values && values.length > 0 ? values.map(escaped).join(',') : undefined;

const dropEmpty = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** Keeps what is a part of such an address. */
export const readFeatureAddress = (raw: Record<string, unknown>): FeatureAddress =>
  dropEmpty({
    query: text(raw.query),
    project: text(raw.project),
    type: text(raw.type),
    state: text(raw.state),
    lifecycle: text(raw.lifecycle),
    tag: text(raw.tag),
    segment: text(raw.segment),
    status: text(raw.status),
    enabledIn: text(raw.enabledIn),
    createdBy: text(raw.createdBy),
    owner: text(raw.owner),
    expired: raw.expired === true || undefined,
    lastSeenAt: text(raw.lastSeenAt),
    favorite: raw.favorite === true || undefined,
    archived: raw.archived === true || undefined,
    sortBy: text(raw.sortBy),
    sortOrder: raw.sortOrder === 'desc' ? ('desc' as const) : undefined,
    columns: text(raw.columns),
    view: text(raw.view),
  } satisfies Record<Parameter, unknown>);

/** Reads an address; what is wrong in it is left out. */
export const readFeatureSearch = (raw: Record<string, unknown>): FeatureSearch =>
  dropEmpty({
    query: text(raw.query),
    project: list(raw.project),
    type: list(raw.type),
    state: list(raw.state),
    lifecycle: list(raw.lifecycle),
    tag: list(raw.tag),
    segment: list(raw.segment),
    status: list(raw.status),
    enabledIn: list(raw.enabledIn),
    createdBy: list(raw.createdBy),
    owner: owners(raw.owner),
    expired: raw.expired === true || undefined,
    lastSeenAt: /^(never|(within|before):\d{1,4})$/.test(text(raw.lastSeenAt) ?? '')
      ? text(raw.lastSeenAt)
      : undefined,
    favorite: raw.favorite === true || undefined,
    archived: raw.archived === true || undefined,
    sortBy: text(raw.sortBy),
    sortOrder: raw.sortOrder === 'desc' ? ('desc' as const) : undefined,
    columns: list(raw.columns),
    view: /^[1-9]\d{0,9}$/.test(text(raw.view) ?? '') ? Number(raw.view) : undefined,
  });

export const writeFeatureSearch = (search: FeatureSearch): FeatureAddress =>
  dropEmpty({
    query: search.query || undefined,
    project: joined(search.project),
    type: joined(search.type),
    state: joined(search.state),
    lifecycle: joined(search.lifecycle),
    tag: joined(search.tag),
    segment: joined(search.segment),
    status: joined(search.status),
    enabledIn: joined(search.enabledIn),
    createdBy: joined(search.createdBy),
    owner: joined(search.owner),
    expired: search.expired || undefined,
    lastSeenAt: search.lastSeenAt,
    favorite: search.favorite || undefined,
    archived: search.archived || undefined,
    sortBy: search.sortBy,
    sortOrder: search.sortOrder === 'desc' ? ('desc' as const) : undefined,
    columns: joined(search.columns),
    view: search.view === undefined ? undefined : String(search.view),
  } satisfies Record<keyof FeatureSearch, unknown>);

/** Whether anything is filtered: an empty list then teaches something else. */
export const isFiltered = (search: FeatureSearch): boolean =>
  listFilters.some((name) => search[name] !== undefined) ||
  [search.query, search.lastSeenAt, search.favorite, search.expired].some(
    (value) => value !== undefined,
  );

/** One value may hold commas; several are separated by them. */
const choice = (values: readonly string[]) =>
  values.length === 1 ? `IS:${values[0]}` : `IS_ANY_OF:${values.join(',')}`;

/** Active features are neither stale nor potentially stale. The API calls potentially stale ones active, too. */
function stateQuery(wanted: readonly string[]): string | undefined {
  if (!wanted.includes('active')) return choice(wanted);
  const others = Object.keys(stateNames).filter((state) => !wanted.includes(state));
  if (others.length === 0) return undefined;
  return others.length === 1 ? `IS_NOT:${others[0]}` : `IS_NONE_OF:${others.join(',')}`;
}

const inclusion = (values: readonly string[]) =>
  values.length === 1 ? `INCLUDE:${values[0]}` : `INCLUDE_ANY_OF:${values.join(',')}`;

const dayMs = 86_400_000;

function lastSeenQuery(wanted: string, now: Date): string {
  if (wanted === 'never') return 'IS:never';
  const [kind, days = '0'] = wanted.split(':');
  const day = new Date(now.getTime() - Number(days) * dayMs).toISOString().slice(0, 10);
  return `${kind === 'within' ? 'IS_ON_OR_AFTER' : 'IS_BEFORE_OR_NEVER'}:${day}`;
}

/** The same as the query of `GET /api/admin/search/features`. Newest first, unless sorted otherwise. */
export function toQuery(search: FeatureSearch, project?: string, now = new Date()) {
  const { query, type, state, lifecycle, tag, segment, status, enabledIn, createdBy } = search;
  const { owner, lastSeenAt } = search;
  const projects = project === undefined ? search.project : [project];
  return dropEmpty({
    query,
    project: projects && choice(projects),
    type: type && choice(type),
    state: state && stateQuery(state),
    lifecycle: lifecycle && choice(lifecycle),
    tag: tag && inclusion(tag),
    segment: segment && inclusion(segment),
    status: status && [...status],
    enabledIn: enabledIn && inclusion(enabledIn),
    createdBy: createdBy && choice(createdBy),
    owner: owner && choice(owner),
    expired: search.expired ? 'IS:true' : undefined,
    lastSeenAt: lastSeenAt === undefined ? undefined : lastSeenQuery(lastSeenAt, now),
    favorite: search.favorite ? 'IS:true' : undefined,
    archived: search.archived ? 'IS:true' : undefined,
    sortBy: search.sortBy ?? 'createdAt',
    sortOrder: search.sortBy === undefined ? ('desc' as const) : (search.sortOrder ?? 'asc'),
  });
}
