import type { Tx } from '../../../../platform/db/database.ts';
import type { Logger } from '../../../../platform/log.ts';
import { record } from '../../../events/index.ts';
import { applicationCreated } from '../events.ts';
import {
  countApplications,
  insertApplications,
  listKnownApplications,
  type ReportedApplication,
  touchApplications,
} from './application-queries.ts';
import type { Batch } from './buffer.ts';

/**
 * Anybody with a token can invent names: tables have an end. A token in a page is in everybody's hands, so that what
 * comes with one has a share of the room, and not at once: each name is an event. Racing instances may pass the ends
 * by a few.
 */
const room = { all: 5_000, public: 1_000, publicInAnHour: 100 } as const;

type StoredApplication = Awaited<ReturnType<typeof listKnownApplications>>[number];

function listTold({ reports, signs }: Pick<Batch, 'reports' | 'signs'>): ReportedApplication[] {
  const told = new Map<string, ReportedApplication>();
  const tell = ({ appName, strategies, isPublic }: ReportedApplication) => {
    const before = told.get(appName);
    told.set(appName, {
      appName,
      strategies: strategies ?? before?.strategies ?? null,
      isPublic: isPublic && (before?.isPublic ?? true),
    });
  };
  for (const { appName, isPublic } of reports) tell({ appName, isPublic, strategies: null });
  for (const sign of signs) tell(sign);
  return [...told.values()];
}

const isOther = (told: ReportedApplication, known: StoredApplication) =>
  (told.strategies !== null &&
    JSON.stringify(told.strategies) !== JSON.stringify(known.strategies)) ||
  (known.isPublic && !told.isPublic);

/** Those of the new ones for which there is room. */
async function admit(
  tx: Tx,
  fresh: readonly ReportedApplication[],
): Promise<ReportedApplication[]> {
  const counted = await countApplications(tx.db, tx.now);
  let left = room.all - counted.all;
  let leftForPublic = Math.min(
    room.public - counted.public,
    room.publicInAnHour - counted.publicInAnHour,
  );
  return fresh.filter(({ isPublic }) => {
    if (left <= 0 || (isPublic && leftForPublic <= 0)) return false;
    left -= 1;
    if (isPublic) leftForPublic -= 1;
    return true;
  });
}

/** Which of the applications have a row now. Whoever is the first to store one tells of it. */
export async function meetApplications(
  tx: Tx,
  heard: Pick<Batch, 'reports' | 'signs'>,
  log: Logger,
): Promise<Set<string>> {
  const told = listTold(heard);
  const names = told.map(({ appName }) => appName);
  const known = new Map(
    (await listKnownApplications(tx.db, names, tx.now)).map((row) => [row.appName, row]),
  );
  const due = told.filter((each) => {
    const row = known.get(each.appName);
    return row && (row.due || isOther(each, row));
  });
  if (due.length > 0) await touchApplications(tx, due);
  const fresh = told.filter(({ appName }) => !known.has(appName));
  if (fresh.length === 0) return new Set(names);
  const admitted = await admit(tx, fresh);
  if (admitted.length < fresh.length) {
    log.warn({ room }, 'more applications than are kept: some were not stored');
  }
  const now = tx.now.toISOString();
  const made = admitted.length > 0 ? await insertApplications(tx, admitted) : [];
  for (const { appName, strategies } of made) {
    const annotations = { description: '', url: null, color: null, icon: null };
    const origin = { createdBy: tx.actor.name, createdAt: now, updatedAt: now };
    record(tx, applicationCreated({ data: { appName, strategies, ...annotations, ...origin } }));
  }
  return new Set([...known.keys(), ...admitted.map(({ appName }) => appName)]);
}
