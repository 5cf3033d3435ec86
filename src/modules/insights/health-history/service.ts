import type { Db, ReadSnapshot } from '../../../platform/db/database.ts';
import { badData, notFound } from '../../../platform/errors.ts';
import { countFeatures, findProject } from '../../catalogue/projects/index.ts';
import { excessesOf } from './budget.ts';
import { addDays, countDays, dayOf, isDay, listDays } from './days.ts';
import { findSettledDay, listSnapshots } from './queries/snapshots.ts';
import { reconstruct } from './reconstruct.ts';

const defaultDays = 90;
/** Five years: more than anybody looks at, and 200 kB of answer. */
const maxDays = 5 * 366;
/** Days that are over and not written down yet are worked out; more than these only where nobody writes. */
const maxUnsettled = 7;

interface Period {
  readonly from?: string;
  readonly to?: string;
}

async function getLivingProject(db: Db, id: string) {
  const project = await findProject(db, id);
  if (!project || project.archivedAt !== undefined) throw notFound('project', id);
  return project;
}

interface Days {
  readonly project: string;
  readonly from: string;
  readonly to: string;
  readonly now: Date;
  /** Days that are written down: of the newest ones too while older ones are being filled in. */
  readonly known: ReadonlySet<string>;
}

async function listUnsettled(db: Db, { project, from, to, now, known }: Days) {
  const yesterday = addDays(dayOf(now.getTime()), -1);
  const settled = await findSettledDay(db);
  const earliest = addDays(yesterday, 1 - maxUnsettled);
  const next = settled === undefined ? earliest : addDays(settled, 1);
  const days = listDays(next > earliest ? next : earliest, yesterday).filter(
    (day) => from <= day && day <= to && !known.has(day),
  );
  if (days.length === 0) return [];
  const found = await reconstruct(db, days, { now: now.getTime(), project });
  return found
    .map(({ project: _project, ...snapshot }) => snapshot)
    .sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** All of it is of one snapshot. */
export async function getHistory(
  readSnapshot: ReadSnapshot,
  id: string,
  { from, to, now }: Period & { readonly now: Date },
) {
  const today = dayOf(now.getTime());
  const last = to ?? today;
  const before = addDays(last, 1 - defaultDays);
  // There is no day before the first of the first year.
  const first = from ?? (isDay(before) ? before : last);
  if (countDays(first, last) > maxDays) {
    const path = '/query/from';
    const message = `${path} lies more than ${maxDays} days before the last day`;
    throw badData([{ path, message }]);
  }
  return readSnapshot(async (db) => {
    const { budget } = await getLivingProject(db, id);
    const period = { project: id, from: first, to: last };
    const settled = await listSnapshots(db, period);
    const known = new Set(settled.map(({ day }) => day));
    const unsettled = await listUnsettled(db, { ...period, now, known });
    const over = [...settled, ...unsettled].sort((a, b) => (a.day < b.day ? -1 : 1));
    const days = over.map((snapshot) => ({ ...snapshot, live: false }));
    if (first <= today && today <= last) {
      const counts = await countFeatures(db, id, now);
      days.push({ day: today, ...counts, reconstructed: false, live: true });
    }
    return { project: id, days, budget };
  });
}

export async function getBudget(db: Db, id: string, now: Date) {
  const { budget } = await getLivingProject(db, id);
  const current = await countFeatures(db, id, now);
  const exceeded = excessesOf(budget, current);
  return { project: id, budget, current, withinBudget: exceeded.length === 0, exceeded };
}
