import { type RawBuilder, sql } from 'kysely';
import type { Filter, TextPart } from '../filter.ts';

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

/** Everything that the filter asks of an event's columns, its time apart. */
export const columnConditions = (filter: Filter): Condition[] => [
  ...(filter.ids ? [anyOf('id', 'bigint', filter.ids)] : []),
  ...columnFilters(filter).map(({ condition }) => condition),
];

/** A needle without three letters in a row has no trigram: the index would only be in the way. */
const hasTrigram = (needle: string) => /[\p{L}\p{N}]{3}/u.test(needle);

const contains = (needle: string): Condition =>
  hasTrigram(needle)
    ? sql`search like ${`%${needle.replace(/[\\%_]/g, (mark) => `\\${mark}`)}%`}`
    : sql`strpos(search, ${needle}) > 0`;

const sideParts = (parts: readonly TextPart[]) => parts.filter((part) => part !== 'data');

/** The ids of all events in a place whose text has the needle, by the trigram index where it helps. */
export function textHits(
  { needle, parts }: NonNullable<Filter['text']>,
  place: Condition,
): Condition {
  const inData = sql`select id from event_texts where ${contains(needle)} and ${place}`;
  const sides = sideParts(parts);
  const inSides = sql`
    select id from event_side_texts
    where part = any(${sides}::text[]) and ${contains(needle)} and ${place}`;
  if (sides.length === 0) return inData;
  return parts.includes('data') ? sql`${inData} union ${inSides}` : sql`${inSides} group by id`;
}

/** Whether the text of one event has the needle: for a walk along the log. */
export function textCondition({ needle, parts }: NonNullable<Filter['text']>): Condition {
  const either: Condition[] = [];
  if (parts.includes('data')) {
    either.push(
      sql`exists (select from event_texts t where t.id = e.id and strpos(t.search, ${needle}) > 0)`,
    );
  }
  const sides = sideParts(parts);
  if (sides.length > 0) {
    either.push(sql`exists (select from event_side_texts t
      where t.id = e.id and t.part = any(${sides}::text[]) and strpos(t.search, ${needle}) > 0)`);
  }
  return sql`(${sql.join(either, sql` or `)})`;
}

export const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `);
