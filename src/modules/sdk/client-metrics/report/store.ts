import type { Tx } from '../../../../platform/db/database.ts';
import type { Logger } from '../../../../platform/log.ts';
import { maxVariants } from '../bounds.ts';
import {
  addHours,
  addVariantHours,
  type CountedHour,
  type FeatureEnvironmentRow,
  type FeatureInEnvironment,
  listPlaces,
} from '../feature-metrics/queries.ts';
import { listEnvironmentNames } from './application-queries.ts';
import { type Batch, type Report, type SignOfLife, type Source, sum } from './buffer.ts';
import { upsertInstances } from './instance-queries.ts';
import { holdProjects, listDueReach, type Reached, upsertReach } from './reach-queries.ts';
import { meetApplications } from './store-applications.ts';
import { noteSightings } from './update-last-seen.ts';
import { type UnknownUse, upsertUnknown, upsertUses } from './use-queries.ts';

/** Anybody with a token can invent names: tables have an end. Racing instances may pass it by a few. */
const roomForInstances = { all: 50_000, public: 25_000 };
const roomForUnknown = { all: 10_000, public: 5_000, ofApplication: 1_000 };

/** Under which name it is counted what applications do for which there is no more room. */
const others = '(others)';

const keyOf = (...parts: readonly (string | number)[]) => JSON.stringify(parts);

const onlyOnce = <Item>(items: Iterable<Item>, key: (item: Item) => string): Item[] => [
  ...new Map([...items].map((item) => [key(item), item])).values(),
];

const reaches = ({ scope: { projects } }: Report, { project }: FeatureEnvironmentRow): boolean =>
  projects === 'all' || projects.includes(project);

/** What was asked for, by what it turned out to be. */
interface Sorted {
  readonly hours: readonly CountedHour[];
  /** When each was last seen. */
  readonly seen: ReadonlyMap<FeatureEnvironmentRow, number>;
  readonly unknown: readonly UnknownUse[];
}

/** What a token does not reach is left out, and what a project does not have. */
function sortOut(
  reports: readonly Report[],
  places: ReadonlyMap<string, FeatureEnvironmentRow>,
  known: ReadonlySet<string>,
): Sorted {
  const hours = new Map<string, CountedHour>();
  const seen = new Map<FeatureEnvironmentRow, number>();
  const unknown = new Map<string, UnknownUse>();
  for (const report of reports) {
    const { isPublic } = report;
    const { environment } = report.scope;
    const appName = known.has(report.appName) ? report.appName : others;
    for (const [feature, { yes, no, variants, seenMs }] of report.features) {
      const place = places.get(keyOf(feature, environment));
      if (!place) {
        const key = keyOf(feature, appName, environment);
        const before = unknown.get(key);
        if (!before || before.isPublic)
          unknown.set(key, { appName, feature, environment, isPublic });
        continue;
      }
      if (!place.placed || !reaches(report, place)) continue;
      seen.set(place, Math.max(seen.get(place) ?? 0, seenMs));
      const key = keyOf(feature, environment, appName, report.hourMs);
      const where = { feature, environment, appName, hourMs: report.hourMs };
      const into = hours.get(key) ?? { ...where, yes: 0, no: 0, variants: new Map() };
      into.yes = sum(into.yes, yes);
      into.no = sum(into.no, no);
      for (const [variant, count] of variants ?? []) {
        into.variants.set(variant, sum(into.variants.get(variant) ?? 0, count));
      }
      hours.set(key, into);
    }
  }
  return { hours: [...hours.values()], seen, unknown: [...unknown.values()] };
}

async function countUses(tx: Tx, { hours, unknown }: Sorted): Promise<void> {
  if (hours.length > 0) await addHours(tx, hours);
  const variants = hours.flatMap(({ variants: given, ...hour }) =>
    [...given].map(([variant, count]) => ({ ...hour, variant, count })),
  );
  if (variants.length > 0) await addVariantHours(tx, variants, maxVariants);
  const own = hours.filter(({ appName }) => appName !== others);
  const uses = onlyOnce(own, (use) => keyOf(use.appName, use.feature, use.environment));
  if (uses.length > 0) await upsertUses(tx, uses);
  if (unknown.length > 0) await upsertUnknown(tx, unknown, roomForUnknown);
}

function reachOf({ scope: { environment, projects }, appName }: Source): Reached[] {
  return (projects === 'all' ? ['*'] : projects).map((project) => ({
    appName,
    project,
    environment,
  }));
}

/** Through which projects the applications came, of those that are there. */
async function noteReach(tx: Tx, sources: readonly Source[]): Promise<void> {
  const told = onlyOnce(sources.flatMap(reachOf), ({ appName, project, environment }) =>
    keyOf(appName, project, environment),
  );
  const due = told.length > 0 ? await listDueReach(tx.db, told, tx.now) : [];
  if (due.length === 0) return;
  const held = await holdProjects(
    tx,
    due.map(({ project }) => project),
  );
  const there = due.filter(({ project }) => project === '*' || held.has(project));
  if (there.length > 0) await upsertReach(tx, there);
}

/** One application may have come with several tokens. */
const mergedSigns = (signs: readonly SignOfLife[]): SignOfLife[] => {
  const merged = new Map<string, SignOfLife>();
  for (const sign of signs) {
    const key = keyOf(sign.appName, sign.scope.environment, sign.instanceId);
    const before = merged.get(key);
    const isPublic = sign.isPublic && (before?.isPublic ?? true);
    const told = !before || sign.sdkVersion !== null ? sign : before;
    merged.set(key, { ...told, isPublic });
  }
  return [...merged.values()];
};

/**
 * Stores what was told, in one order: applications, projects, features, what features have, counts. Whoever stores at the
 * same time does it in this order, too.
 */
export async function storeBatch(tx: Tx, batch: Batch, log: Logger): Promise<void> {
  const environments = await listEnvironmentNames(tx.db);
  const isHere = ({ scope }: Source) => environments.has(scope.environment);
  const [reports, signs] = [batch.reports.filter(isHere), batch.signs.filter(isHere)];
  if (reports.length + signs.length === 0) return;
  const known = await meetApplications(tx, { reports, signs }, log);
  const isKnown = ({ appName }: Source) => known.has(appName);
  await noteReach(tx, [...reports, ...signs].filter(isKnown));
  const asked = onlyOnce<FeatureInEnvironment>(
    reports.flatMap(({ scope: { environment }, features }) =>
      [...features.keys()].map((feature) => ({ feature, environment })),
    ),
    ({ feature, environment }) => keyOf(feature, environment),
  );
  const found = asked.length > 0 ? await listPlaces(tx.db, asked) : [];
  const places = new Map(found.map((each) => [keyOf(each.feature, each.environment), each]));
  const sorted = sortOut(reports, places, known);
  await noteSightings(tx, sorted.seen);
  await countUses(tx, sorted);
  const instances = mergedSigns(signs.filter(isKnown));
  if (instances.length > 0) await upsertInstances(tx, instances, roomForInstances);
}
