import type { Db, ReadSnapshot } from '../../../../platform/db/database.ts';
import { badData, notFound } from '../../../../platform/errors.ts';
import { countFeatures, findProject } from '../../../catalogue/projects/index.ts';
import { addDays, countDays, dayOf, isDay, listDays } from '../days.ts';
import { findSettledDay, listSnapshots } from '../snapshots/queries.ts';
import { reconstruct } from '../snapshots/reconstruct.ts';

const defaultDays = 90;
/** Five years, a response of 200 kB. */
const maxDays = 5 * 366;
/** How many past days without a stored snapshot are computed on request. There are more only if no job runs. */
const maxUnsettled = 7;

interface Period {
  readonly from?: string;
  readonly to?: string;
}

export async function lockActiveProject(db: Db, id: string) {
  const project = await findProject(db, id);
  if (!project || project.archivedAt !== undefined) throw notFound('project', id);
  return project;
}

interface Days {
  readonly project: string;
  readonly from: string;
  readonly to: string;
  readonly now: Date;
  /** The days with stored snapshots. While older days are backfilled, newer ones are already stored. */
  readonly settledDays: ReadonlySet<string>;
}

async function listUnsettled(db: Db, { project, from, to, now, settledDays }: Days) {
  const yesterday = addDays(dayOf(now.getTime()), -1);
  const settled = await findSettledDay(db);
  const earliest = addDays(yesterday, 1 - maxUnsettled);
  const next = settled === undefined ? earliest : addDays(settled, 1);
  const days = listDays(next > earliest ? next : earliest, yesterday).filter(
    (day) => from <= day && day <= to && !settledDays.has(day),
  );
  if (days.length === 0) return [];
  const found = await reconstruct(db, days, { now: now.getTime(), project });
  return found
    .map(({ project: _project, ...snapshot }) => snapshot)
    .sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Reads everything from one snapshot of the database. */
export async function getHistory(
  readSnapshot: ReadSnapshot,
  id: string,
  { from, to, now }: Period & { readonly now: Date },
) {
  const today = dayOf(now.getTime());
  const last = to ?? today;
  const before = addDays(last, 1 - defaultDays);
  // The calendar begins on the first day of year 1.
  const first = from ?? (isDay(before) ? before : last);
  if (countDays(first, last) > maxDays) {
    const path = '/query/from';
    const message = `${path} is more than ${maxDays} days before the last day`;
    throw badData([{ path, message }]);
  }
  return readSnapshot(async (db) => {
    const { budget } = await lockActiveProject(db, id);
    const period = { project: id, from: first, to: last };
    const settled = await listSnapshots(db, period);
    const settledDays = new Set(settled.map(({ day }) => day));
    const unsettled = await listUnsettled(db, { ...period, now, settledDays });
    const over = [...settled, ...unsettled].sort((a, b) => (a.day < b.day ? -1 : 1));
    const days = over.map((snapshot) => ({ ...snapshot, live: false }));
    if (first <= today && today <= last) {
      const counts = await countFeatures(db, id, now);
      days.push({ day: today, ...counts, reconstructed: false, live: true });
    }
    return { project: id, days, budget };
  });
}
