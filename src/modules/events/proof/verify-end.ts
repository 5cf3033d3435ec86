import type { Db } from '../../../platform/db/database.ts';
import { contentOf, fits, listStored } from './chain.ts';
import { getHead } from './queries.ts';

interface LogEndState {
  readonly lastId: number;
  /** How many of the last events were checked. */
  readonly checked: number;
  /** The first of them that is not as it was recorded. */
  readonly brokenAt: number | undefined;
}

/** Checks the links between the last events, in a fraction of a second. `verifyLog` checks all. Call it in a snapshot. */
export async function verifyEnd(db: Db, count: number): Promise<LogEndState> {
  const { lastId } = await getHead(db);
  const events = await listStored(db, { after: lastId - count - 1, limit: count + 1 });
  const brokenAt = events.slice(1).find(({ id, hash, ...event }, index) => {
    const previous = events[index];
    return !previous || id !== previous.id + 1 || !fits(hash, id, previous.hash, contentOf(event));
  })?.id;
  return { lastId, checked: events.length, brokenAt };
}
