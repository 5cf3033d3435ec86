import type { Db } from '../../../../platform/db/database.ts';
import { grouped } from '../../../../platform/grouped.ts';
import { createSlices } from '../../../../platform/slices.ts';
import { type FactRows, findFactRows, type InEnvironment, readLog } from './fact-queries.ts';
import type { Facts, Terms } from './reasons.ts';

const byEnvironment = (a: InEnvironment, b: InEnvironment): number =>
  a.environment < b.environment ? -1 : 1;

/** Groups rows by feature, in the order of environment names. */
const byFeature = <Row extends InEnvironment>(rows: readonly Row[]) => {
  const groups = grouped(rows, ({ feature }) => feature);
  for (const group of groups.values()) group.sort(byEnvironment);
  return groups;
};

const keyOf = ({ feature, environment }: InEnvironment): string => `${feature} ${environment}`;

/**
 * Lists the production environments of features that are on for everyone in all such environments. A feature with
 * parents is not on for everyone. Without strategies everyone matches; with only disabled ones no one does.
 */
function listFullyOn({ enabled, strategies, children }: FactRows) {
  const strategiesOf = new Map(strategies.map((each) => [keyOf(each), each]));
  const restricted = new Set(children);
  for (const each of enabled) {
    if (strategiesOf.get(keyOf(each))?.letsAllPass === false) restricted.add(each.feature);
  }
  return enabled
    .filter(({ feature }) => !restricted.has(feature))
    .map((each) => ({ ...each, stickiness: strategiesOf.get(keyOf(each))?.stickiness ?? null }));
}

/** Finds the facts of an active project's features, with two statements for any number. */
export async function findFacts(
  db: Db,
  project: string,
): Promise<(Pick<Terms, 'scans'> & { readonly features: Facts[] }) | undefined> {
  const rows = await findFactRows(db, project);
  if (!rows) return undefined;
  const stale = rows.features.filter((feature) => feature.stale).map(({ name }) => name);
  const fullyOn = listFullyOn(rows);
  const { marks, audienceChangedAt, begin } = await readLog(db, { stale, fullyOn });
  const marked = new Map(stale.map((name, index) => [name, marks[index]]));
  const fullyOnSince = byFeature(
    fullyOn.map((each, index) => ({ ...each, since: audienceChangedAt[index] ?? begin })),
  );
  const slices = createSlices();
  await slices.pause();
  const seen = byFeature(rows.sightings);
  await slices.pause();
  const inCode = new Set(rows.inCode);
  const reviews = new Map(rows.reviews.map(({ feature, ...review }) => [feature, review]));
  const owners = new Map(rows.owners.map(({ feature, ...owner }) => [feature, owner]));
  const features: Facts[] = [];
  for (const feature of rows.features) {
    if (slices.isOver()) await slices.pause();
    features.push({
      ...feature,
      marked: marked.get(feature.name) ?? null,
      seen: (seen.get(feature.name) ?? []).map(({ environment, at }) => ({ environment, at })),
      fullyOn: (fullyOnSince.get(feature.name) ?? []).map(({ environment, stickiness, since }) => ({
        environment,
        stickiness,
        since: since ?? feature.createdAt,
      })),
      inCode: inCode.has(feature.name),
      review: reviews.get(feature.name) ?? null,
      owner: owners.get(feature.name) ?? null,
    });
  }
  return { scans: rows.scans, features };
}
