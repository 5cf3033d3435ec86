import type { Db, ReadAt } from '../../platform/db/database.ts';
import { replaceTables } from '../../platform/db/replaced-tables.ts';
import type { Services } from '../../platform/module.ts';
import { type AsOf, getEventAt, readRest } from './as-of.ts';
import { catchUp } from './jobs.ts';
import { pastTables } from './past-tables.ts';
import { findEventTime } from './queries.ts';

type HistoryServices = Pick<Services, 'searchDb' | 'transact' | 'system' | 'log'>;

/** The event that decides what was there at a moment. Afterwards the history contains it. */
export async function reachEventAt(services: HistoryServices, moment: AsOf): Promise<number> {
  const { searchDb } = services;
  const eventId = await getEventAt(searchDb, moment);
  const { rest } = await readRest(searchDb, eventId);
  if (rest.length === 0) return eventId;
  await catchUp(services);
  // One of the events may not have fitted.
  return getEventAt(searchDb, { asOf: String(eventId), now: moment.now });
}

const isEventId = (asOf: string): boolean => /^\d+$/.test(asOf);

/** The time of a moment. */
const timeOf = async (db: Db, { asOf, now }: AsOf, eventId: number): Promise<Date> =>
  isEventId(asOf) ? ((await findEventTime(db, eventId)) ?? now) : new Date(asOf);

/** Lets the statements of today read the tables as they were at the moment that a request names. */
export const createReadAt =
  (services: HistoryServices & Pick<Services, 'readSnapshot' | 'clock'>): ReadAt =>
  async (present, { sees }, asOf) => {
    const { searchDb, readSnapshot, clock } = services;
    const now = clock();
    if (asOf === undefined) return { db: present, readSnapshot, now };
    const eventId = await reachEventAt(services, { asOf, now });
    const at = await timeOf(searchDb, { asOf, now }, eventId);
    const db = replaceTables(searchDb, pastTables({ eventId, at, sees }));
    return { db, readSnapshot: (work) => work(db), now: at };
  };
