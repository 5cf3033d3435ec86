import { dayMs } from '../../../platform/clock.ts';
import type { Fault } from '../../../platform/errors.ts';
import { listSimilar } from '../../../platform/similar-words.ts';
import { eventTypes, isEventType, typesOfOthers } from '../event-types-schema.ts';
import { fold } from '../record/fold.ts';

const textParts = ['data', 'preData', 'tags'] as const;
export type TextPart = (typeof textParts)[number];

/** Values of columns. An absent list stands for any value. */
export interface ColumnValues {
  readonly projects?: readonly string[];
  readonly features?: readonly string[];
  readonly types?: readonly string[];
  readonly environments?: readonly string[];
  readonly creators?: { readonly ids: readonly number[]; readonly names: readonly string[] };
}

/** An absent filter matches everything, an empty list nothing. */
export interface Filter extends ColumnValues {
  /** Events with one of these values do not match; those without a value do. */
  readonly excluded?: ColumnValues;
  readonly ids?: readonly number[];
  /** Types that imported events had in the source. */
  readonly originalTypes?: readonly string[];
  /** Milliseconds since 1970: `since` is inclusive, `until` exclusive. */
  readonly since?: number;
  readonly until?: number;
  readonly text?: { readonly needle: string; readonly parts: readonly TextPart[] };
  /** Excludes events of deleted projects whose name was used again. Set for everyone but administrators. */
  readonly currentProjectsOnly?: true;
}

export type Order = 'asc' | 'desc';

export interface Paging {
  readonly order: Order;
  readonly limit: number;
  readonly offset: number;
  /** Continue after this id. */
  readonly after: number | undefined;
  /** Ignore events after this id, so that an export ends. */
  readonly upTo?: number | undefined;
}

export interface SearchQuery {
  readonly query?: string;
  readonly queryIn?: string;
  readonly feature?: string;
  readonly project?: string;
  readonly type?: string;
  readonly originalType?: string;
  readonly environment?: string;
  readonly createdBy?: string;
  readonly notFeature?: string;
  readonly notProject?: string;
  readonly notType?: string;
  readonly notEnvironment?: string;
  readonly notCreatedBy?: string;
  readonly id?: string;
  readonly from?: string;
  readonly to?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly offset?: string;
  readonly limit?: string;
  readonly order?: string;
  readonly cursor?: string;
}

export interface ParsedSearch {
  readonly filter: Filter;
  readonly paging: Paging;
  readonly faults: readonly Fault[];
}

export const maxLimit = 1000;
const defaultLimit = 50;

/** The values after the operator. The contract's pattern guarantees the operator. */
function valuesOf(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const colon = text.indexOf(':');
  const value = text.slice(colon + 1);
  const values = text.slice(0, colon).endsWith('_OF')
    ? value.split(',').map((item) => item.trim())
    : [value];
  return [...new Set(values)].filter((item) => item !== '').sort();
}

const integer = /^-?\d+$/;

/** Numbers that are too large for an id match nothing, so they are left out. */
const safeIntegers = (texts: readonly string[]) =>
  texts.map(Number).filter((value) => Number.isSafeInteger(value));

/** Midnight in UTC of an `IS:yyyy-MM-dd` day. Undefined if the day does not exist. */
function dayOf(text: string): number | undefined {
  const day = text.slice('IS:'.length);
  const at = Date.parse(`${day}T00:00:00.000Z`);
  const real = !Number.isNaN(at) && new Date(at).toISOString().startsWith(`${day}T`);
  return real && !day.startsWith('0000') ? at : undefined;
}

const rfc3339 = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d+))?([Zz]|[+-]\d{2}:\d{2})$/;

/** An instant in milliseconds, and whether it has a smaller fraction. Undefined if it does not exist. */
function instantOf(text: string): { ms: number; fraction: boolean } | undefined {
  const [, day, time, digits = '', zone] = rfc3339.exec(text) ?? [];
  if (day === undefined || dayOf(`IS:${day}`) === undefined) return undefined;
  const ms = Date.parse(
    `${day}T${time}.${digits.padEnd(3, '0').slice(0, 3)}${zone?.toUpperCase()}`,
  );
  return Number.isNaN(ms) ? undefined : { ms, fraction: /[1-9]/.test(digits.slice(3)) };
}

export const cursorOf = (order: Order, id: number): string =>
  Buffer.from(`${order}:${id}`).toString('base64url');

function readCursor(cursor: string): { order: Order; after: number } | undefined {
  const [, order, id] =
    /^(asc|desc):(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  return order && id ? { order: order as Order, after: Number(id) } : undefined;
}

function creatorsOf(creators: readonly string[]): NonNullable<ColumnValues['creators']> {
  return {
    ids: safeIntegers(creators.filter((creator) => integer.test(creator))),
    names: creators.filter((creator) => !integer.test(creator)),
  };
}

type ColumnParameter = 'project' | 'feature' | 'type' | 'environment' | 'createdBy';

function columnValues(query: Pick<SearchQuery, ColumnParameter>): ColumnValues {
  const projects = valuesOf(query.project);
  const features = valuesOf(query.feature);
  const types = valuesOf(query.type);
  const environments = valuesOf(query.environment);
  const creators = valuesOf(query.createdBy);
  return {
    ...(projects && { projects }),
    ...(features && { features }),
    ...(types && { types }),
    ...(environments && { environments }),
    ...(creators && { creators: creatorsOf(creators) }),
  };
}

/** An exclusion of nothing excludes nothing. */
const isFilled = (values: NonNullable<ColumnValues[keyof ColumnValues]>): boolean =>
  'ids' in values ? values.ids.length + values.names.length > 0 : values.length > 0;

/** Parses the parameters of a search and collects all faults. */
export function parseSearch(query: SearchQuery): ParsedSearch {
  const faults: Fault[] = [];
  const fault = (name: keyof SearchQuery, problem: string) => {
    faults.push({ path: `/query/${name}`, message: `/query/${name} ${problem}` });
  };

  for (const name of ['type', 'notType'] as const) {
    // Five are enough for a message. Each is compared with 156 names.
    const unknown = (valuesOf(query[name]) ?? []).filter((type) => !isEventType(type)).slice(0, 5);
    for (const type of unknown) {
      const like = listSimilar(type, eventTypes).join(', ');
      fault(
        name,
        `has the unknown event type '${type.slice(0, 60)}'; similar types are ${like}. To find imported events of other types, use originalType=IS:…`,
      );
    }
  }

  const ids = valuesOf(query.id);
  if (ids?.some((id) => !integer.test(id))) fault('id', 'must be whole numbers');

  const day = (name: 'from' | 'to') => {
    const text = query[name];
    const at = text === undefined ? undefined : dayOf(text);
    if (text !== undefined && at === undefined) fault(name, `isn't a valid date: ${text}`);
    return at;
  };
  const instant = (name: 'createdAfter' | 'createdBefore') => {
    const text = query[name];
    const at = text === undefined ? undefined : instantOf(text);
    if (text !== undefined && !at) {
      fault(name, 'must be an RFC 3339 time, such as 2026-01-31T12:00:00Z');
    }
    return at;
  };
  const from = day('from');
  const to = day('to');
  const after = instant('createdAfter');
  const before = instant('createdBefore');
  const since = [from, after && after.ms + 1].filter((at) => at !== undefined);
  const until = [
    to === undefined ? undefined : to + dayMs,
    before && before.ms + (before.fraction ? 1 : 0),
  ];
  const ends = until.filter((at) => at !== undefined);

  const parts = (query.queryIn ?? 'data').split(',').map((part) => part.trim());
  const validParts = textParts.filter((part) => parts.includes(part));
  if (parts.some((part) => !textParts.includes(part as TextPart))) {
    fault('queryIn', `must be one or more of ${textParts.join(', ')}, separated by commas`);
  }

  const { notProject, notFeature, notType, notEnvironment, notCreatedBy } = query;
  const excluded = columnValues({
    ...(notProject !== undefined && { project: notProject }),
    ...(notFeature !== undefined && { feature: notFeature }),
    ...(notType !== undefined && { type: notType }),
    ...(notEnvironment !== undefined && { environment: notEnvironment }),
    ...(notCreatedBy !== undefined && { createdBy: notCreatedBy }),
  });
  const originalTypes = valuesOf(query.originalType);
  const filter: Filter = {
    // Only these types have another one, and their index finds them.
    ...(originalTypes && { originalTypes, types: Object.values(typesOfOthers).sort() }),
    ...columnValues(query),
    ...(Object.values(excluded).some(isFilled) ? { excluded } : {}),
    ...(ids ? { ids: safeIntegers(ids) } : {}),
    ...(since.length > 0 ? { since: Math.max(...since) } : {}),
    ...(ends.length > 0 ? { until: Math.min(...ends) } : {}),
    ...(query.query ? { text: { needle: fold(query.query), parts: validParts } } : {}),
  };
  return { filter, paging: parsePaging(query, fault), faults };
}

function parsePaging(
  query: SearchQuery,
  fault: (name: keyof SearchQuery, problem: string) => void,
): Paging {
  const wholeNumber = (name: 'limit' | 'offset', least: number, fallback: number) => {
    const text = query[name];
    if (text === undefined) return fallback;
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least) return value;
    fault(name, `must be a whole number, ${least} or more; you sent '${text.slice(0, 40)}'`);
    return fallback;
  };
  const limit = Math.min(wholeNumber('limit', 1, defaultLimit), Number.MAX_SAFE_INTEGER);
  const offset = Math.min(wholeNumber('offset', 0, 0), Number.MAX_SAFE_INTEGER);
  const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor);
  if (query.cursor !== undefined && !cursor) fault('cursor', "isn't a valid cursor");
  if (query.order !== undefined && query.order !== 'asc' && query.order !== 'desc') {
    fault('order', `must be asc or desc; you sent '${query.order.slice(0, 40)}'`);
  }
  if (cursor && query.order !== undefined && query.order !== cursor.order) {
    fault('order', `is ${query.order}, but the order of the cursor is ${cursor.order}`);
  }
  if (cursor && offset > 0) fault('offset', 'cannot be combined with a cursor');
  const order = cursor?.order ?? (query.order === 'asc' ? 'asc' : 'desc');
  return { order, limit, offset, after: cursor?.after };
}

/**
 * Limits a filter to the projects that the reader sees, as if the search named them. Excludes events without a project,
 * and events of earlier projects of the same name.
 */
export function limitToVisible(filter: Filter, sees: 'all' | ReadonlySet<string>): Filter {
  if (sees === 'all') return filter;
  const projects = filter.projects?.filter((id) => sees.has(id)) ?? [...sees].sort();
  return { ...filter, projects, currentProjectsOnly: true };
}

/** Whether a filter is only what the reader may see, and perhaps a text. */
export const isLimitedToVisible = ({
  text: _text,
  projects: _projects,
  currentProjectsOnly,
  ...others
}: Filter): boolean => currentProjectsOnly === true && Object.keys(others).length === 0;

/**
 * The filter in a log in which that project was the last to use a name again. If no event is older than it, the events
 * need not be compared with the projects: planning this for 20 projects took longer than the search.
 */
export function simplify(
  filter: Filter,
  { recreated, anchor }: { readonly recreated: number; readonly anchor: number },
): Filter {
  const { currentProjectsOnly: _currentProjectsOnly, ...others } = filter;
  return recreated > anchor ? filter : others;
}

/** Whether the filter alone rules out any hit. */
export const matchesNothing = ({
  creators,
  since,
  until,
  text,
  excluded: _excluded,
  currentProjectsOnly: _currentProjectsOnly,
  ...filter
}: Filter): boolean =>
  Object.values(filter).some((values) => values.length === 0) ||
  (creators !== undefined && creators.ids.length + creators.names.length === 0) ||
  (since !== undefined && until !== undefined && since >= until) ||
  (text !== undefined && text.parts.length === 0);
