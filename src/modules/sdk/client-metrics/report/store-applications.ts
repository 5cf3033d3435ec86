import type { Tx } from '../../../../platform/db/database.ts';
import type { Logger } from '../../../../platform/log.ts';
import { record } from '../../../events/index.ts';
import { applicationCreated } from '../events.ts';
import {
  countApplications,
  insertApplications,
  listExistingApplications,
  type ReportedApplication,
  touchApplications,
} from './application-queries.ts';
import type { Batch } from './buffer.ts';

/**
 * Limits of stored applications, because anyone with a token can invent names. Frontend tokens are public, so
 * applications seen only with them have a share of the limit and an hourly limit: each new name records an event.
 * Concurrent instances may exceed the limits by a few.
 */
const limits = { all: 5_000, public: 1_000, publicInAnHour: 100 } as const;

type StoredApplication = Awaited<ReturnType<typeof listExistingApplications>>[number];

function listReportedApplications({
  reports,
  instances,
}: Pick<Batch, 'reports' | 'instances'>): ReportedApplication[] {
  const reported = new Map<string, ReportedApplication>();
  const add = ({ appName, strategies, isPublic }: ReportedApplication) => {
    const before = reported.get(appName);
    reported.set(appName, {
      appName,
      strategies: strategies ?? before?.strategies ?? null,
      isPublic: isPublic && (before?.isPublic ?? true),
    });
  };
  for (const { appName, isPublic } of reports) add({ appName, isPublic, strategies: null });
  for (const instance of instances) add(instance);
  return [...reported.values()];
}

const hasChanged = (reported: ReportedApplication, existing: StoredApplication) =>
  (reported.strategies !== null &&
    JSON.stringify(reported.strategies) !== JSON.stringify(existing.strategies)) ||
  (existing.isPublic && !reported.isPublic);

/** The new applications that fit into the limits. */
async function withinLimits(
  tx: Tx,
  fresh: readonly ReportedApplication[],
): Promise<ReportedApplication[]> {
  const counted = await countApplications(tx.db, tx.now);
  let left = limits.all - counted.all;
  let leftForPublic = Math.min(
    limits.public - counted.public,
    limits.publicInAnHour - counted.publicInAnHour,
  );
  return fresh.filter(({ isPublic }) => {
    if (left <= 0 || (isPublic && leftForPublic <= 0)) return false;
    left -= 1;
    if (isPublic) leftForPublic -= 1;
    return true;
  });
}

/**
 * Inserts and updates applications. Returns the names of those that are stored. The transaction that inserts one
 * records its event.
 */
export async function upsertApplications(
  tx: Tx,
  batch: Pick<Batch, 'reports' | 'instances'>,
  log: Logger,
): Promise<Set<string>> {
  const reported = listReportedApplications(batch);
  const names = reported.map(({ appName }) => appName);
  const existing = new Map(
    (await listExistingApplications(tx.db, names, tx.now)).map((row) => [row.appName, row]),
  );
  const due = reported.filter((each) => {
    const row = existing.get(each.appName);
    return row && (row.due || hasChanged(each, row));
  });
  if (due.length > 0) await touchApplications(tx, due);
  const fresh = reported.filter(({ appName }) => !existing.has(appName));
  if (fresh.length === 0) return new Set(names);
  const admitted = await withinLimits(tx, fresh);
  if (admitted.length < fresh.length) {
    log.warn({ limits }, 'too many applications: some were not stored');
  }
  const now = tx.now.toISOString();
  const made = admitted.length > 0 ? await insertApplications(tx, admitted) : [];
  for (const { appName, strategies } of made) {
    const annotations = { description: '', url: null, color: null, icon: null };
    const origin = { createdBy: tx.actor.name, createdAt: now, updatedAt: now };
    record(tx, applicationCreated({ data: { appName, strategies, ...annotations, ...origin } }));
  }
  return new Set([...existing.keys(), ...admitted.map(({ appName }) => appName)]);
}
