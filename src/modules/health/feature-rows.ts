import { stages } from '../features/index.ts';
import type { FeatureLines } from './queries/features.ts';

/** By the number of a feature. */
export type ByFeature<Thing> = Thing[];

export function* rowsOf(lines: string | null): Generator<string[]> {
  if (lines === null) return;
  for (const line of lines.split('\n')) yield line.split('\t');
}

/** What features are in one environment; most of them have nothing but on and off. */
export interface Conditions {
  readonly enabled: Uint8Array;
  /** In milliseconds; 0: never. */
  readonly seenAt: Float64Array;
  readonly variants: ReadonlyMap<number, { readonly json: string; readonly count: number }>;
}

export function conditionsOf(rows: FeatureLines, places: number, features: number): Conditions[] {
  const conditions = Array.from({ length: places }, () => ({
    enabled: new Uint8Array(features),
    seenAt: new Float64Array(features),
    variants: new Map<number, { json: string; count: number }>(),
  }));
  const at = (place: string | undefined) =>
    conditions[Number(place)] as (typeof conditions)[number];
  for (const [place, list = ''] of rowsOf(rows.switched)) {
    const { enabled } = at(place);
    for (const feature of list.split(' ')) enabled[Number(feature)] = 1;
  }
  for (const [place, list = ''] of rowsOf(rows.seen)) {
    const { seenAt } = at(place);
    const pairs = list.split(' ');
    for (let pair = 0; pair < pairs.length; pair += 2) {
      seenAt[Number(pairs[pair])] = Number(pairs[pair + 1]);
    }
  }
  for (const [place, feature, json = ''] of rowsOf(rows.varied)) {
    at(place).variants.set(Number(feature), { json, count: JSON.parse(json).length });
  }
  return conditions;
}

/** A strategy, with the others of the same feature and environment behind it, in no order yet. */
export interface Strategy {
  readonly active: boolean;
  /** Up to the segments. */
  readonly json: string;
  /** Its place, when it was made, its id: with tabs between them. */
  readonly order: string;
  readonly next: Strategy | undefined;
}

/**
 * Line by line, and no more parts of one than are needed: there are three for each feature and more, and to
 * split them took a third of the time that all texts take.
 */
export function strategiesOf(lines: string | null, places: number): ByFeature<Strategy>[] {
  const found: ByFeature<Strategy>[] = Array.from({ length: places }, () => []);
  for (let start = 0; lines !== null && start < lines.length; ) {
    const newline = lines.indexOf('\n', start);
    const end = newline === -1 ? lines.length : newline;
    const afterPlace = lines.indexOf('\t', start);
    const afterFeature = lines.indexOf('\t', afterPlace + 1);
    const afterJson = lines.indexOf('\t', afterFeature + 3);
    const here = found[Number(lines.slice(start, afterPlace))] as ByFeature<Strategy>;
    const feature = Number(lines.slice(afterPlace + 1, afterFeature));
    here[feature] = {
      active: lines[afterFeature + 1] === '0',
      json: lines.slice(afterFeature + 3, afterJson),
      order: lines.slice(afterJson + 1, end),
      next: here[feature],
    };
    start = end + 1;
  }
  return found;
}

export const idOf = ({ order }: Strategy): string => order.slice(order.lastIndexOf('\t') + 1);

/** Several strategies in the order in which they are asked. */
export function inOrder(first: Strategy): Strategy[] {
  const strategies: { strategy: Strategy; place: number; madeAt: number; id: string }[] = [];
  for (let strategy: Strategy | undefined = first; strategy; strategy = strategy.next) {
    const [place, madeAt, id = ''] = strategy.order.split('\t');
    strategies.push({ strategy, place: Number(place), madeAt: Number(madeAt), id });
  }
  strategies.sort((a, b) => a.place - b.place || a.madeAt - b.madeAt || (a.id < b.id ? -1 : 1));
  return strategies.map(({ strategy }) => strategy);
}

/** With commas between what belongs to one feature. */
function add(lists: ByFeature<string>, feature: number, item: string): void {
  const known = lists[feature];
  lists[feature] = known === undefined ? item : `${known},${item}`;
}

export function tagsOf(lines: string | null): ByFeature<string> {
  const tags: ByFeature<string> = [];
  for (const [tag = '', features = ''] of rowsOf(lines)) {
    for (const feature of features.split(' ')) add(tags, Number(feature), tag);
  }
  return tags;
}

/** Children live in the project of their parents, so that every one of them has a line. */
export function familyOf(lines: string | null) {
  const dependencies: ByFeature<string> = [];
  const children = new Map<string, string>();
  for (const [feature, child = '', parent = '', dependency = ''] of rowsOf(lines)) {
    add(dependencies, Number(feature), dependency);
    const known = children.get(parent);
    children.set(parent, known === undefined ? `"${child}"` : `${known},"${child}"`);
  }
  return { dependencies, children };
}

/** The furthest stage that each feature has entered. */
export function lifecyclesOf(lines: string | null): ByFeature<string[]> {
  const furthest: ByFeature<string[]> = [];
  const placeOf = (row: readonly string[]) => stages.indexOf(row[1] as (typeof stages)[number]);
  for (const row of rowsOf(lines)) {
    const known = furthest[Number(row[0])];
    if (!known || placeOf(row) > placeOf(known)) furthest[Number(row[0])] = row;
  }
  return furthest;
}

/** Who else had to do with each feature. */
export function authorsOf(
  lines: string | null,
  personOf: (id: string, name: string) => string,
): ByFeature<string> {
  const authors: ByFeature<string> = [];
  for (const [feature, id = '', name = ''] of rowsOf(lines)) {
    add(authors, Number(feature), personOf(id, name));
  }
  return authors;
}
