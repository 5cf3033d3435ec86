import type { Fault } from '../../../platform/errors.ts';
import { maxLimit, parseSearch } from '../../events/index.ts';

/** Which records are searched. An absent filter matches everything, an empty list nothing. */
export interface RecordFilter {
  readonly states?: readonly string[];
  readonly types?: readonly string[];
  readonly events?: readonly number[];
  /** Milliseconds since 1970. `since` is inclusive, `until` exclusive. */
  readonly since?: number;
  readonly until?: number;
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

interface PageQuery {
  readonly limit?: string;
  readonly offset?: string;
}

interface RangeQuery {
  readonly from?: string | null;
  readonly to?: string | null;
  readonly type?: string | null;
}

interface RecordQuery extends PageQuery, RangeQuery {
  readonly state?: string;
  readonly event?: string;
}

/** Filters use the operators of the event search. A bare value means IS. */
const withOperator = (text: string) => (/^(IS|IS_ANY_OF):/.test(text) ? text : `IS:${text}`);

/** The pattern in the contract has checked the names. */
const statesOf = (text: string): string[] => {
  const names = text.replace(/^\w+:/, '').split(',');
  return [...new Set(names.map((name) => name.trim()))];
};

const given = <Name extends string>(
  name: Name,
  text: string | null | undefined,
): Partial<Record<Name, string>> =>
  text === undefined || text === null
    ? {}
    : ({ [name]: withOperator(text) } as Partial<Record<Name, string>>);

/** Faults of the event search, with the parameter names of this request. */
const renameFaults = (faults: readonly Fault[], names: Readonly<Record<string, string>>): Fault[] =>
  faults.map(({ path = '', message }) => {
    const name = names[path] ?? path;
    return { path: name, message: message.replace(path, () => name) };
  });

function parsePage({ limit, offset }: PageQuery): Page & { faults: readonly Fault[] } {
  const { paging, faults } = parseSearch({
    ...(limit !== undefined && { limit }),
    ...(offset !== undefined && { offset }),
  });
  return { limit: Math.min(paging.limit, maxLimit), offset: paging.offset, faults };
}

const rangeOf = ({ from, to, type }: RangeQuery, event?: string) => {
  const { filter, faults } = parseSearch({
    ...given('from', from),
    ...given('to', to),
    ...given('type', type),
    ...given('id', event),
  });
  const { types, ids: events, since, until } = filter;
  return {
    faults,
    filter: {
      ...(types && { types }),
      ...(events && { events }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
    },
  };
};

/** Parses the query of a list of records. Returns all faults. */
export function parseRecords(query: RecordQuery): {
  filter: RecordFilter;
  page: Page;
  faults: readonly Fault[];
} {
  const { filter, faults } = rangeOf(query, query.event);
  const { faults: pageFaults, ...page } = parsePage(query);
  return {
    filter: { ...filter, ...(query.state !== undefined && { states: statesOf(query.state) }) },
    page,
    faults: [...renameFaults(faults, { '/query/id': '/query/event' }), ...pageFaults],
  };
}

export type DeliveryFilter = Omit<RecordFilter, 'states'>;

/** The same for a list of deliveries. */
export function parseDeliveries(query: RecordQuery): {
  filter: DeliveryFilter;
  page: Page;
  faults: readonly Fault[];
} {
  const { state: _, ...rest } = query;
  return parseRecords(rest);
}

export type RedeliveryFilter = Omit<RecordFilter, 'states' | 'events'>;

/** The same for the body of a redelivery. */
export function parseRedelivery(body: RangeQuery): {
  filter: RedeliveryFilter;
  faults: readonly Fault[];
} {
  const { filter, faults } = rangeOf(body);
  return {
    filter,
    faults: renameFaults(faults, {
      '/query/from': '/body/from',
      '/query/to': '/body/to',
      '/query/type': '/body/type',
    }),
  };
}
