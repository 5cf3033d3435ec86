import { type RawBuilder, sql } from 'kysely';
import type { Filter, TextPart } from './filter.ts';
import { isOwn } from './seen.ts';

export type Condition = RawBuilder<unknown>;

const isText = (column: string, value: string): Condition =>
  sql`${sql.raw(`e.${column}`)} = ${value}`;

const isNumber = (column: string, value: number): Condition =>
  sql`${sql.raw(`e.${column}`)} = ${value}::bigint`;

const anyOf = (column: string, type: 'text' | 'bigint', values: readonly unknown[]): Condition =>
  sql`${sql.raw(`e.${column}`)} = any(${values}::${sql.raw(type)}[])`;

/** One filter on a column, whose index ends in the id: as one condition, and value by value. */
export interface ColumnFilter {
  readonly condition: Condition;
  readonly branches: readonly Condition[];
}

const textFilter = (column: string, values: readonly string[]): ColumnFilter => {
  const branches = values.map((value) => isText(column, value));
  const [only] = branches;
  return {
    branches,
    condition: only && branches.length === 1 ? only : anyOf(column, 'text', values),
  };
};

function creatorFilter({ ids, names }: NonNullable<Filter['creators']>): ColumnFilter {
  const either: Condition[] = [];
  if (ids.length > 0) either.push(anyOf('created_by_user_id', 'bigint', ids));
  if (names.length > 0) either.push(anyOf('created_by', 'text', names));
  return {
    condition: sql`(${sql.join(either, sql` or `)})`,
    branches: [
      ...ids.map((id) => isNumber('created_by_user_id', id)),
      ...names.map((name) => isText('created_by', name)),
    ],
  };
}

export function columnFilters(filter: Filter): ColumnFilter[] {
  const { projects, features, types, environments, creators } = filter;
  return [
    ...(projects ? [textFilter('project', projects)] : []),
    ...(features ? [textFilter('feature_name', features)] : []),
    ...(types ? [textFilter('type', types)] : []),
    ...(environments ? [textFilter('environment', environments)] : []),
    ...(creators ? [creatorFilter(creators)] : []),
  ];
}

/**
 * Behind the latest beginning of a project, every event tells of a project as it is now. Mostly no name was ever used
 * again and that is the whole log: to ask for each event made a deep page of 20 projects take 0.6 s instead of 70 ms.
 */
const isOfProjectNow = sql`(
  e.id >= (select max(first_event_id) from projects) or ${isOwn('e.project', 'e.id')})`;

/** What a reader may see: decided in the index of any column, which carries the project. */
export const seenConditions = ({ sees, ownOnly }: Filter): Condition[] => [
  ...(sees ? [anyOf('project', 'text', sees)] : []),
  ...(ownOnly ? [isOfProjectNow] : []),
];

/** Everything that the filter asks of an event's columns, its time apart. */
export const columnConditions = (filter: Filter): Condition[] => [
  ...(filter.ids ? [anyOf('id', 'bigint', filter.ids)] : []),
  ...columnFilters(filter).map(({ condition }) => condition),
  ...seenConditions(filter),
];

/** How texts are looked for: through the trigrams of these parts of them, or by reading them all in a row. */
export type Way = readonly string[] | 'row';

/**
 * Whether a text has the needle, without any index. `split_part` stops at a hit as `strpos` does, but does not
 * count the characters before it: a million hits took two cores 0.34 s, with LIKE 0.50 and with strpos 0.65.
 */
export const has = (column: string, needle: string): Condition =>
  sql`split_part(${sql.raw(column)}, ${needle}, 1) <> ${sql.raw(column)}`;

const like = (part: string): Condition =>
  sql`search like ${`%${part.replace(/[\\%_]/g, (mark) => `\\${mark}`)}%`}`;

const contains = (needle: string, way: Way): Condition => {
  if (way === 'row') return has('search', needle);
  const whole = way.length === 1 && way[0] === needle;
  return all([...way.map(like), ...(whole ? [] : [has('search', needle)])]);
};

const sideParts = (parts: readonly TextPart[]) => parts.filter((part) => part !== 'data');

/** The texts of these parts of the events, as a query; an event may have several. */
export function textsOf(
  parts: readonly TextPart[],
  columns: Condition,
  condition: Condition,
): Condition {
  const sides = sideParts(parts);
  const inData = sql`select ${columns} from event_texts where ${condition}`;
  const inSides = sql`
    select ${columns} from event_side_texts where part = any(${sides}::text[]) and ${condition}`;
  if (sides.length === 0) return inData;
  return parts.includes('data') ? sql`${inData} union all ${inSides}` : inSides;
}

/** The ids of all events in a place whose text has the needle. */
export function textHits(
  { needle, parts }: NonNullable<Filter['text']>,
  way: Way,
  place: Condition,
): Condition {
  const found = textsOf(parts, sql`id`, sql`${contains(needle, way)} and ${place}`);
  return sideParts(parts).length === 0 ? found : sql`select id from (${found}) hit group by id`;
}

/** Whether the text of one event has the needle: for a walk along the log. */
export function textCondition({ needle, parts }: NonNullable<Filter['text']>): Condition {
  const either: Condition[] = [];
  if (parts.includes('data')) {
    either.push(
      sql`exists (select from event_texts t where t.id = e.id and ${has('t.search', needle)})`,
    );
  }
  const sides = sideParts(parts);
  if (sides.length > 0) {
    either.push(sql`exists (select from event_side_texts t
      where t.id = e.id and t.part = any(${sides}::text[]) and ${has('t.search', needle)})`);
  }
  return sql`(${sql.join(either, sql` or `)})`;
}

export const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `);
