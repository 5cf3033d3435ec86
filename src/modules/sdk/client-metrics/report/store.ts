import type { Tx } from '../../../../platform/db/database.ts';
import type { Logger } from '../../../../platform/log.ts';
import { maxVariants } from '../bounds.ts';
import {
  addEvaluations,
  addHours,
  addVariantHours,
  type CountedHour,
  type FeatureEnvironmentRow,
  type FeatureInEnvironment,
  listFeatureEnvironments,
} from '../feature-metrics/queries.ts';
import { listEnvironmentNames } from './application-queries.ts';
import {
  addCapped,
  type Batch,
  type InstanceReport,
  type Source,
  type UsageReport,
} from './buffer.ts';
import { upsertInstances } from './instance-queries.ts';
import { type ApplicationReach, listDueReach, lockProjects, upsertReach } from './reach-queries.ts';
import { upsertApplications } from './store-applications.ts';
import { updateLastSeen } from './update-last-seen.ts';
import { type UseOfUnknownFeature, upsertUnknown, upsertUses } from './use-queries.ts';

/**
 * Limits of stored rows, because anyone with a token can invent names. Concurrent instances may exceed them by a
 * few.
 */
const instanceLimits = { all: 50_000, public: 25_000 };
const unknownFeatureLimits = { all: 10_000, public: 5_000, ofApplication: 1_000 };

/** The application name for counts of applications that were not stored because of the limit. */
const others = '(others)';

const keyOf = (...parts: readonly (string | number)[]) => JSON.stringify(parts);

const uniqueBy = <Item>(items: Iterable<Item>, key: (item: Item) => string): Item[] => [
  ...new Map([...items].map((item) => [key(item), item])).values(),
];

const reaches = (
  { scope: { projects } }: UsageReport,
  { project }: FeatureEnvironmentRow,
): boolean => projects === 'all' || projects.includes(project);

/** Reports, aggregated and matched with features. */
interface AggregatedUsage {
  readonly hours: readonly CountedHour[];
  /** When each feature was last seen. */
  readonly seen: ReadonlyMap<FeatureEnvironmentRow, number>;
  readonly unknown: readonly UseOfUnknownFeature[];
}

/** Leaves out features outside the scope of the token, and environments that a project does not have. */
function aggregateUsage(
  reports: readonly UsageReport[],
  rows: ReadonlyMap<string, FeatureEnvironmentRow>,
  applications: ReadonlySet<string>,
): AggregatedUsage {
  const hours = new Map<string, CountedHour>();
  const seen = new Map<FeatureEnvironmentRow, number>();
  const unknown = new Map<string, UseOfUnknownFeature>();
  for (const report of reports) {
    const { isPublic } = report;
    const { environment } = report.scope;
    const appName = applications.has(report.appName) ? report.appName : others;
    for (const [feature, { yes, no, variants, seenMs }] of report.features) {
      const row = rows.get(keyOf(feature, environment));
      if (!row) {
        const key = keyOf(feature, appName, environment);
        const before = unknown.get(key);
        if (!before || before.isPublic)
          unknown.set(key, { appName, feature, environment, isPublic });
        continue;
      }
      if (!row.isInProject || !reaches(report, row)) continue;
      seen.set(row, Math.max(seen.get(row) ?? 0, seenMs));
      const key = keyOf(feature, environment, appName, report.hourMs);
      const where = { feature, environment, appName, hourMs: report.hourMs };
      const into = hours.get(key) ?? { ...where, yes: 0, no: 0, variants: new Map() };
      into.yes = addCapped(into.yes, yes);
      into.no = addCapped(into.no, no);
      for (const [variant, count] of variants ?? []) {
        into.variants.set(variant, addCapped(into.variants.get(variant) ?? 0, count));
      }
      hours.set(key, into);
    }
  }
  return { hours: [...hours.values()], seen, unknown: [...unknown.values()] };
}

async function countUses(tx: Tx, { hours, unknown }: AggregatedUsage): Promise<void> {
  if (hours.length > 0) {
    await addHours(tx, hours);
    await addEvaluations(tx, hours);
  }
  const variants = hours.flatMap(({ variants: given, ...hour }) =>
    [...given].map(([variant, count]) => ({ ...hour, variant, count })),
  );
  if (variants.length > 0) await addVariantHours(tx, variants, maxVariants);
  const own = hours.filter(({ appName }) => appName !== others);
  const uses = uniqueBy(own, (use) => keyOf(use.appName, use.feature, use.environment));
  if (uses.length > 0) await upsertUses(tx, uses);
  if (unknown.length > 0) await upsertUnknown(tx, unknown, unknownFeatureLimits);
}

function reachOf({ scope: { environment, projects }, appName }: Source): ApplicationReach[] {
  return (projects === 'all' ? ['*'] : projects).map((project) => ({
    appName,
    project,
    environment,
  }));
}

/** Stores the projects through which applications were seen, as far as they exist. */
async function upsertReachOf(tx: Tx, sources: readonly Source[]): Promise<void> {
  const reach = uniqueBy(sources.flatMap(reachOf), ({ appName, project, environment }) =>
    keyOf(appName, project, environment),
  );
  const due = reach.length > 0 ? await listDueReach(tx.db, reach, tx.now) : [];
  if (due.length === 0) return;
  const lockedProjects = await lockProjects(
    tx,
    due.map(({ project }) => project),
  );
  const existing = due.filter(({ project }) => project === '*' || lockedProjects.has(project));
  if (existing.length > 0) await upsertReach(tx, existing);
}

/** One application may use several tokens. */
const mergeInstances = (instances: readonly InstanceReport[]): InstanceReport[] => {
  const merged = new Map<string, InstanceReport>();
  for (const instance of instances) {
    const key = keyOf(instance.appName, instance.scope.environment, instance.instanceId);
    const before = merged.get(key);
    const isPublic = instance.isPublic && (before?.isPublic ?? true);
    const reach = !before || instance.sdkVersion !== null ? instance : before;
    merged.set(key, { ...reach, isPublic });
  }
  return [...merged.values()];
};

/**
 * Stores a batch. All transactions use the same order, so that they cannot deadlock: applications, projects,
 * features, parts of features, counts.
 */
export async function storeBatch(tx: Tx, batch: Batch, log: Logger): Promise<void> {
  const environments = await listEnvironmentNames(tx.db);
  const isInEnvironment = ({ scope }: Source) => environments.has(scope.environment);
  const [reports, instances] = [
    batch.reports.filter(isInEnvironment),
    batch.instances.filter(isInEnvironment),
  ];
  if (reports.length + instances.length === 0) return;
  const applications = await upsertApplications(tx, { reports, instances }, log);
  const isStored = ({ appName }: Source) => applications.has(appName);
  await upsertReachOf(tx, [...reports, ...instances].filter(isStored));
  const requested = uniqueBy<FeatureInEnvironment>(
    reports.flatMap(({ scope: { environment }, features }) =>
      [...features.keys()].map((feature) => ({ feature, environment })),
    ),
    ({ feature, environment }) => keyOf(feature, environment),
  );
  const found = requested.length > 0 ? await listFeatureEnvironments(tx.db, requested) : [];
  const rows = new Map(found.map((each) => [keyOf(each.feature, each.environment), each]));
  const usage = aggregateUsage(reports, rows, applications);
  await updateLastSeen(tx, usage.seen);
  await countUses(tx, usage);
  const merged = mergeInstances(instances.filter(isStored));
  if (merged.length > 0) await upsertInstances(tx, merged, instanceLimits);
}
