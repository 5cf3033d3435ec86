import { type RawBuilder, sql } from 'kysely';
import { isOfCurrentProject } from '../visibility.ts';
import type { ColumnValues, Filter, Paging, TextPart } from './filter.ts';
import { inRange, isTimed, spanInSql } from './range.ts';

export type Condition = RawBuilder<unknown>;

const isText = (column: string, value: string): Condition =>
  sql`${sql.raw(`e.${column}`)} = ${value}`;

const isNumber = (column: string, value: number): Condition =>
  sql`${sql.raw(`e.${column}`)} = ${value}::bigint`;

const anyOf = (column: string, type: 'text' | 'bigint', values: readonly unknown[]): Condition =>
  sql`${sql.raw(`e.${column}`)} = any(${values}::${sql.raw(type)}[])`;

/**
 * A filter on a column whose index ends in the id, as one condition and as one condition per value. Each index contains
 * the project, so it also answers the filter of projects.
 */
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

/** The filters of all columns except the project. */
export function columnFilters(values: ColumnValues): ColumnFilter[] {
  const { features, types, environments, creators } = values;
  return [
    ...(features ? [textFilter('feature_name', features)] : []),
    ...(types ? [textFilter('type', types)] : []),
    ...(environments ? [textFilter('environment', environments)] : []),
    ...(creators ? [creatorFilter(creators)] : []),
  ];
}

export const projectFilters = ({ projects }: Pick<Filter, 'projects'>): ColumnFilter[] =>
  projects ? [textFilter('project', projects)] : [];

/**
 * Whether no project of this name was deleted before the event's own was created. Usually no name was used twice, and
 * the first comparison decides. Looking up the project of each event made counting a million of them take 4 s.
 */
const isOfAnyCurrentProject = sql`(
  e.id >= (select max(first_event_id) from projects)
  or e.project <> all(array(select id from projects where first_event_id > 0))
  or ${isOfCurrentProject('e.project', 'e.id')})`;

export const currentProjectConditions = ({ currentProjectsOnly }: Filter): Condition[] =>
  currentProjectsOnly ? [isOfAnyCurrentProject] : [];

/** The projects that a search names, or that its reader may see. */
export const projectConditions = (filter: Filter): Condition[] => [
  ...projectFilters(filter).map(({ condition }) => condition),
  ...currentProjectConditions(filter),
];

/**
 * Conditions that no index answers: exclusions, and the type that an imported event had. A column without a value is never
 * excluded.
 */
export const residualConditions = ({ excluded = {}, originalTypes }: Filter): Condition[] => [
  ...[...projectFilters(excluded), ...columnFilters(excluded)]
    .filter(({ branches }) => branches.length > 0)
    .map(({ condition }) => sql`(${condition}) is not true`),
  ...(originalTypes ? [sql`e.data ->> 'originalType' = any(${originalTypes}::text[])`] : []),
];

/** All conditions on columns except the time. */
export const columnConditions = (filter: Filter): Condition[] => [
  ...(filter.ids ? [anyOf('id', 'bigint', filter.ids)] : []),
  ...columnFilters(filter).map(({ condition }) => condition),
  ...projectConditions(filter),
  ...residualConditions(filter),
];

/** How to find texts: by the trigrams of these parts, or by scanning all texts. */
export type TextLookup = readonly string[] | 'scan';

/**
 * Whether a text contains the needle, without an index. `split_part` stops at a hit like `strpos`, but does not count
 * the characters before it: a million hits took two cores 0.34 s, with LIKE 0.50 and with strpos 0.65.
 */
export const containsText = (column: string, needle: string): Condition =>
  sql`split_part(${sql.raw(column)}, ${needle}, 1) <> ${sql.raw(column)}`;

const like = (part: string): Condition =>
  sql`search like ${`%${part.replace(/[\\%_]/g, (mark) => `\\${mark}`)}%`}`;

const lookupCondition = (needle: string, lookup: TextLookup): Condition => {
  if (lookup === 'scan') return containsText('search', needle);
  const isComplete = lookup.length === 1 && lookup[0] === needle;
  return all([...lookup.map(like), ...(isComplete ? [] : [containsText('search', needle)])]);
};

const sideParts = (parts: readonly TextPart[]) => parts.filter((part) => part !== 'data');

/** The texts of these parts of the events, as a query. An event may have several. */
export function selectTexts(
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

/** The ids of the events that meet the condition and whose text contains the needle. */
export function selectTextHits(
  { needle, parts }: NonNullable<Filter['text']>,
  lookup: TextLookup,
  also: Condition,
): Condition {
  const found = selectTexts(parts, sql`id`, sql`${lookupCondition(needle, lookup)} and ${also}`);
  return sideParts(parts).length === 0 ? found : sql`select id from (${found}) hit group by id`;
}

/** Whether the text of one event contains the needle, for scans of the log. */
export function textCondition({ needle, parts }: NonNullable<Filter['text']>): Condition {
  const either: Condition[] = [];
  if (parts.includes('data')) {
    either.push(
      sql`exists (select from event_texts t where t.id = e.id and ${containsText('t.search', needle)})`,
    );
  }
  const sides = sideParts(parts);
  if (sides.length > 0) {
    either.push(sql`exists (select from event_side_texts t
      where t.id = e.id and t.part = any(${sides}::text[]) and ${containsText('t.search', needle)})`);
  }
  return sql`(${sql.join(either, sql` or `)})`;
}

/** Whether the text of `data` is all that a search asks for, so that the events need not be read. */
const isTextOfDataOnly = (filter: Filter): boolean =>
  filter.text?.parts.join() === 'data' && !isTimed(filter) && columnConditions(filter).length === 0;

/** All hits as `from e where …`, to be limited to a range of ids and walked in their order. Needs the CTE `span`. */
export const scanLog = (filter: Filter): RawBuilder<unknown> =>
  filter.text && isTextOfDataOnly(filter)
    ? sql`event_texts e where ${containsText('e.search', filter.text.needle)}`
    : sql`events e where ${all([
        ...columnConditions(filter),
        ...(isTimed(filter) ? inRange(filter, spanInSql) : []),
        ...(filter.text ? [textCondition(filter.text)] : []),
      ])}`;

export const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `);

/** The bounds of a page: where its cursor is, and where an export ends. */
export const pageBounds = ({ order, after, upTo }: Paging): Condition[] => [
  ...(after === undefined ? [] : [order === 'asc' ? sql`e.id > ${after}` : sql`e.id < ${after}`]),
  ...(upTo === undefined ? [] : [sql`e.id <= ${upTo}`]),
];
