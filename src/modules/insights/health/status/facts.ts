import type { Db } from '../../../../platform/db/database.ts';
import { type FactRows, findFactRows, readLog } from './fact-queries.ts';
import type { Facts, Terms } from './reasons.ts';

const rowsOf = (text: string | null): string[][] =>
  text === null ? [] : text.split('\n').map((row) => row.split('\t'));

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const numberOf = (text: string | undefined): number | null => (text ? Number(text) : null);

/** What something has, by its name. */
function listsOf<Item>(): {
  readonly add: (name: string, item: Item) => void;
  readonly entries: ReadonlyMap<string, Item[]>;
} {
  const entries = new Map<string, Item[]>();
  return {
    entries,
    add(name, item) {
      const list = entries.get(name);
      if (list) list.push(item);
      else entries.set(name, [item]);
    },
  };
}

const byEnvironment = (a: { environment: string }, b: { environment: string }): number =>
  a.environment < b.environment ? -1 : 1;

function sightingsOf({ sightings }: FactRows): ReadonlyMap<string, Facts['seen']> {
  const { add, entries } = listsOf<Facts['seen'][number]>();
  for (const [feature = '', environment = '', at] of rowsOf(sightings)) {
    add(feature, { environment, at: Number(at) });
  }
  for (const list of entries.values()) list.sort(byEnvironment);
  return entries;
}

interface Candidate {
  readonly feature: string;
  readonly environment: string;
  readonly stickiness: string | null;
}

/**
 * Where features are on in production, of those that everybody passes in all such environments. Whoever
 * depends on another feature is not on for everybody. Without any strategy everybody passes; with disabled
 * ones alone nobody does.
 */
function passedByAll({ switched, strategies, children }: FactRows): Candidate[] {
  const sticks = new Map<string, string | null>();
  const closed = new Set(children.split(' '));
  const guarded = new Set<string>();
  for (const [feature, environment, everybody, stickiness] of rowsOf(strategies)) {
    const place = `${feature} ${environment}`;
    if (everybody === 'true') sticks.set(place, stickiness || null);
    else guarded.add(place);
  }
  const on = rowsOf(switched);
  for (const [feature = '', environment] of on) {
    if (guarded.has(`${feature} ${environment}`)) closed.add(feature);
  }
  return on.flatMap(([feature = '', environment = '']) =>
    closed.has(feature)
      ? []
      : [{ feature, environment, stickiness: sticks.get(`${feature} ${environment}`) ?? null }],
  );
}

/** What the log tells of what is stale, or on for everybody. */
async function historyOf(db: Db, heads: readonly string[][], candidates: readonly Candidate[]) {
  const stale = heads.flatMap(([name = '', , , , , mark]) => (mark === 'true' ? [name] : []));
  const { marks, turns, begin } = await readLog(db, { stale, fullyOn: candidates });
  const { add, entries } = listsOf<Omit<Candidate, 'feature'> & { since: number | null }>();
  for (const [place, { feature, environment, stickiness }] of candidates.entries()) {
    add(feature, { environment, since: turns[place] ?? begin, stickiness });
  }
  for (const list of entries.values()) list.sort(byEnvironment);
  return { marked: new Map(stale.map((name, place) => [name, marks[place]])), fullyOn: entries };
}

/** What is known of the features of a living project: two statements, whatever their number. */
export async function findFacts(
  db: Db,
  project: string,
): Promise<(Pick<Terms, 'scans'> & { readonly features: Facts[] }) | undefined> {
  const rows = await findFactRows(db, project);
  if (!rows) return undefined;
  const heads = rowsOf(rows.heads);
  const { marked, fullyOn } = await historyOf(db, heads, passedByAll(rows));
  const seen = sightingsOf(rows);
  const inCode = wordsOf(rows.inCode);
  const reviews = new Map(rows.reviews.map(({ feature, ...review }) => [feature, review]));
  const features = heads.map((head): Facts => {
    const [name = '', type = '', lifetimeDays, made, archivedAt, stale, completedAt] = head;
    const createdAt = Number(made);
    return {
      name,
      type,
      lifetimeDays: numberOf(lifetimeDays),
      createdAt,
      archivedAt: numberOf(archivedAt),
      stale: stale === 'true',
      marked: marked.get(name) ?? null,
      completedAt: numberOf(completedAt),
      seen: seen.get(name) ?? [],
      fullyOn: (fullyOn.get(name) ?? []).map(({ since, ...place }) => ({
        ...place,
        since: since ?? createdAt,
      })),
      inCode: inCode.has(name),
      review: reviews.get(name) ?? null,
    };
  });
  return { scans: rows.scans, features };
}
