import { dueAt } from '../../catalogue/projects/index.ts';
import { stages } from '../../flags/features/index.ts';
import type { FeatureLines } from './queries/features.ts';

/** By the number of a feature. */
export type ByFeature<Thing> = Thing[];

/**
 * Of its full length from the beginning: features come in no order, and a list that is written to far behind its end
 * becomes a slow one. All lists together took a third of the time that a report takes.
 */
const listFor = <Thing>(features: number): ByFeature<Thing | undefined> =>
  new Array<Thing | undefined>(features).fill(undefined);

export const rowsOf = (lines: string | null): string[][] =>
  lines === null ? [] : lines.split('\n').map((line) => line.split('\t'));

/** What a feature is by itself. */
export interface Head {
  readonly name: string;
  readonly type: string;
  /** JSON. */
  readonly description: string;
  readonly impressionData: string;
  /** In milliseconds, as what follows. */
  readonly createdAt: number;
  readonly dueAt: number | null;
  readonly archivedAt: null;
  readonly stale: boolean;
  readonly creatorId: string;
  /** JSON. */
  readonly creatorName: string;
}

export function headsOf({ heads: text, lifetimes, reviews }: FeatureLines): ByFeature<Head> {
  const lines = text === null ? [] : text.split('\n');
  const heads = listFor<Head>(lines.length);
  const reviewed = new Map(
    rowsOf(reviews).map(([feature, permanent, until]) => [
      feature,
      { permanent: permanent === 'true', snoozedUntil: until ? Number(until) : null },
    ]),
  );
  for (const line of lines) {
    const row = line.split('\t');
    const createdAt = Number(row[6]);
    const review = reviewed.get(row[0]) ?? null;
    const type = row[2] as string;
    heads[Number(row[0])] = {
      name: row[1] as string,
      type,
      description: row[3] as string,
      impressionData: row[5] as string,
      createdAt,
      dueAt: dueAt({ createdAt, lifetimeDays: lifetimes[type] ?? null, review }),
      archivedAt: null,
      stale: row[4] === 'true',
      creatorId: row[7] as string,
      creatorName: row[8] as string,
    };
  }
  return heads as ByFeature<Head>;
}

/** What features are in one environment; most of them have nothing but on and off. */
export interface Conditions {
  readonly enabled: Uint8Array;
  /** In milliseconds; 0: never. */
  readonly seenAt: Float64Array;
  readonly variants: ReadonlyMap<number, { readonly json: string; readonly count: number }>;
}

/** Environments of the project by name: their places. */
export type Places = ReadonlyMap<string, number>;

export function conditionsOf(rows: FeatureLines, places: Places, features: number): Conditions[] {
  const conditions = Array.from({ length: places.size }, () => ({
    enabled: new Uint8Array(features),
    seenAt: new Float64Array(features),
    variants: new Map<number, { json: string; count: number }>(),
  }));
  const at = (environment: string) => conditions[places.get(environment) ?? places.size];
  for (const [environment = '', list = ''] of rowsOf(rows.switched)) {
    const here = at(environment);
    if (here) for (const feature of list.split(' ')) here.enabled[Number(feature)] = 1;
  }
  for (const [environment = '', list = ''] of rowsOf(rows.seen)) {
    const here = at(environment);
    const pairs = here ? list.split(' ') : [];
    for (let pair = 0; here && pair < pairs.length; pair += 2) {
      here.seenAt[Number(pairs[pair])] = Number(pairs[pair + 1]);
    }
  }
  for (const [environment = '', feature, json = ''] of rowsOf(rows.varied)) {
    at(environment)?.variants.set(Number(feature), { json, count: JSON.parse(json).length });
  }
  return conditions;
}

/** The sum of all times at which something was seen. */
export function seenIn(conditions: readonly Conditions[]): bigint {
  let sum = 0n;
  for (const { seenAt } of conditions) for (const at of seenAt) if (at > 0) sum += BigInt(at);
  return sum;
}

/** A strategy, with the others of the same feature and environment behind it, in no order yet. */
export interface Strategy {
  readonly active: boolean;
  /** Up to the segments. */
  readonly json: string;
  readonly madeAt: string;
  readonly next: Strategy | undefined;
}

/**
 * Line by line, and no more parts of one than are needed: there are three for each feature and more, and to
 * split them took a third of the time that all texts take. In steps.
 */
export function* strategiesOf(
  lines: string | null,
  places: Places,
  features: number,
): Generator<void, ByFeature<Strategy | undefined>[]> {
  const found = Array.from({ length: places.size }, () => listFor<Strategy>(features));
  for (let start = 0; lines !== null && start < lines.length; ) {
    const newline = lines.indexOf('\n', start);
    const end = newline === -1 ? lines.length : newline;
    const afterPlace = lines.indexOf('\t', start);
    const afterFeature = lines.indexOf('\t', afterPlace + 1);
    const afterJson = lines.indexOf('\t', afterFeature + 3);
    const here = found[places.get(lines.slice(start, afterPlace)) ?? places.size];
    const feature = Number(lines.slice(afterPlace + 1, afterFeature));
    if (here) {
      here[feature] = {
        active: lines[afterFeature + 1] === '0',
        json: lines.slice(afterFeature + 3, afterJson),
        madeAt: lines.slice(afterJson + 1, end),
        next: here[feature],
      };
    }
    start = end + 1;
    yield;
  }
  return found;
}

const idAt = '{"id":"'.length;
export const idOf = ({ json }: Strategy): string => json.slice(idAt, json.indexOf('"', idAt));

/** In JSON there are no such quotes in any text. */
const beforeOrder = ',"sortOrder":';
const sortOrderOf = ({ json }: Strategy): number =>
  Number.parseInt(json.slice(json.indexOf(beforeOrder) + beforeOrder.length), 10);

/** Several strategies in the order in which they are asked. */
export function inOrder(first: Strategy): Strategy[] {
  const strategies: { strategy: Strategy; place: number; madeAt: number; id: string }[] = [];
  for (let strategy: Strategy | undefined = first; strategy; strategy = strategy.next) {
    const [place, madeAt] = [sortOrderOf(strategy), Number(strategy.madeAt)];
    strategies.push({ strategy, place, madeAt, id: idOf(strategy) });
  }
  strategies.sort((a, b) => a.place - b.place || a.madeAt - b.madeAt || (a.id < b.id ? -1 : 1));
  return strategies.map(({ strategy }) => strategy);
}

/** With commas between what belongs to one feature. */
function add(lists: ByFeature<string | undefined>, feature: number, item: string): void {
  const known = lists[feature];
  lists[feature] = known === undefined ? item : `${known},${item}`;
}

export function tagsOf(lines: string | null, features: number): ByFeature<string | undefined> {
  const tags = listFor<string>(features);
  for (const [tag = '', tagged = ''] of rowsOf(lines)) {
    for (const feature of tagged.split(' ')) add(tags, Number(feature), tag);
  }
  return tags;
}

/** Children live in the project of their parents, so that every one of them has a line. */
export function familyOf(lines: string | null, features: number) {
  const dependencies = listFor<string>(features);
  const children = new Map<string, string>();
  for (const [feature, child = '', parent = '', dependency = ''] of rowsOf(lines)) {
    add(dependencies, Number(feature), dependency);
    const known = children.get(parent);
    children.set(parent, known === undefined ? `"${child}"` : `${known},"${child}"`);
  }
  return { dependencies, children };
}

/** The furthest stage that each feature has entered. */
export function lifecyclesOf(
  lines: string | null,
  features: number,
): ByFeature<string[] | undefined> {
  const furthest = listFor<string[]>(features);
  const placeOf = (row: readonly string[]) => stages.indexOf(row[1] as (typeof stages)[number]);
  for (const row of rowsOf(lines)) {
    const known = furthest[Number(row[0])];
    if (!known || placeOf(row) > placeOf(known)) furthest[Number(row[0])] = row;
  }
  return furthest;
}

/** Who else than its creator had to do with each feature. */
export function authorsOf(
  lines: string | null,
  heads: ByFeature<Head>,
  personOf: (id: string, name: string) => string,
): ByFeature<string | undefined> {
  const authors = listFor<string>(heads.length);
  for (const [place, id = '', name = ''] of rowsOf(lines)) {
    const feature = Number(place);
    if (heads[feature]?.creatorId !== id) add(authors, feature, personOf(id, name));
  }
  return authors;
}
