import { type RawBuilder, sql } from 'kysely';
import type { Filter, TextPart } from '../filter.ts';

type Condition = RawBuilder<unknown>;

const anyText = (column: string, values: readonly string[]): Condition => {
  const name = sql.raw(`e.${column}`);
  return values.length === 1 ? sql`${name} = ${values[0]}` : sql`${name} = any(${values}::text[])`;
};

const anyNumber = (column: string, values: readonly number[]): Condition => {
  const name = sql.raw(`e.${column}`);
  return values.length === 1
    ? sql`${name} = ${values[0]}::bigint`
    : sql`${name} = any(${values}::bigint[])`;
};

/** One filter that an index answers in the order of ids, value by value. */
export interface IndexedFilter {
  readonly conditions: readonly Condition[];
}

const each = (column: string, values: readonly string[]): IndexedFilter => ({
  conditions: values.map((value) => anyText(column, [value])),
});

/** The filters on columns that have an index ending in the id. */
export function indexedFilters(filter: Filter): IndexedFilter[] {
  const { projects, features, types, environments, creators } = filter;
  const filters: IndexedFilter[] = [];
  if (projects) filters.push(each('project', projects));
  if (features) filters.push(each('feature_name', features));
  if (types) filters.push(each('type', types));
  if (environments) filters.push(each('environment', environments));
  if (creators) {
    filters.push({
      conditions: [
        ...creators.ids.map((id) => anyNumber('created_by_user_id', [id])),
        ...creators.names.map((name) => anyText('created_by', [name])),
      ],
    });
  }
  return filters;
}

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** A range of time, narrowed to the ids of its days: ids follow time closely, but not strictly. */
export function timeConditions({ since, until }: Filter): Condition[] {
  const conditions: Condition[] = [];
  if (since !== undefined) {
    conditions.push(
      sql`e.id >= (select min(first_id) from event_days where day >= ${day(since)}::date)`,
      sql`e.created_at >= ${new Date(since)}::timestamptz`,
    );
  }
  if (until !== undefined) {
    conditions.push(
      sql`e.id <= (select max(last_id) from event_days where day <= ${day(until - 1)}::date)`,
      sql`e.created_at < ${new Date(until)}::timestamptz`,
    );
  }
  return conditions;
}

export function columnConditions(filter: Filter): Condition[] {
  const { projects, features, types, environments, creators, ids } = filter;
  const conditions: Condition[] = [];
  if (ids) conditions.push(anyNumber('id', ids));
  if (projects) conditions.push(anyText('project', projects));
  if (features) conditions.push(anyText('feature_name', features));
  if (types) conditions.push(anyText('type', types));
  if (environments) conditions.push(anyText('environment', environments));
  if (creators) {
    const either: Condition[] = [];
    if (creators.ids.length > 0) either.push(anyNumber('created_by_user_id', creators.ids));
    if (creators.names.length > 0) either.push(anyText('created_by', creators.names));
    conditions.push(sql`(${sql.join(either, sql` or `)})`);
  }
  return conditions;
}

/** A needle without three letters in a row has no trigram: the index would only be in the way. */
const hasTrigram = (needle: string) => /[\p{L}\p{N}]{3}/u.test(needle);

const contains = (needle: string): Condition =>
  hasTrigram(needle)
    ? sql`search like ${`%${needle.replace(/[\\%_]/g, (mark) => `\\${mark}`)}%`}`
    : sql`strpos(search, ${needle}) > 0`;

const sideParts = (parts: readonly TextPart[]) => parts.filter((part) => part !== 'data');

/** The ids of all events whose text has the needle, by the trigram index where it can help. */
export function textHits({ needle, parts }: NonNullable<Filter['text']>, after: number): Condition {
  const inData = sql`select id from event_texts where ${contains(needle)} and id > ${after}`;
  const sides = sideParts(parts);
  const inSides = sql`
    select id from event_side_texts
    where part = any(${sides}::text[]) and ${contains(needle)} and id > ${after}`;
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
