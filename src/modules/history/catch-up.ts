import type { Tx } from '../../platform/db/database.ts';
import type { Logger } from '../../platform/log.ts';
import { createSlices } from '../../platform/slices.ts';
import { listRecorded, lockEventLog, readLog } from '../events/index.ts';
import { applyEvent, isOfImport, type LoggedEvent, subjectsOf } from './fold.ts';
import {
  deleteBefore,
  findLastMoment,
  findLastRecorded,
  insertGap,
  insertMoment,
  listCurrentStates,
  listEventsAfter,
  lockProgress,
  upsertProgress,
  writeChanges,
  writePresent,
} from './queries.ts';
import { createWorld } from './world.ts';

/** Events in one transaction. */
const portion = 200;

/** Before all events of an installation. */
const longAgo = '1970-01-01T00:00:00.000Z';

/** A time is remembered after so many events. To find another time, so many events are read. */
const eventsPerMoment = 500;

/**
 * Begins a new line of states with everything as it is now. No one else commits a change meanwhile. Events that this
 * transaction has recorded already count as made.
 */
async function beginAgain(
  tx: Tx,
  gap: { readonly fromId: number; readonly reason: 'beginning' | 'import' | 'unknown' },
): Promise<void> {
  await lockEventLog(tx);
  const { head } = await readLog(tx.db);
  const eventId = head + listRecorded(tx).length;
  await writePresent(tx, eventId);
  await insertGap(tx, { ...gap, toId: eventId });
  // A new installation has no past that could be unknown. The demo writes events of the past.
  const after = (await findLastMoment(tx.db))?.eventId ?? 0;
  const at = (await findLastRecorded(tx.db, { after, upTo: head })) ?? longAgo;
  await insertMoment(tx, eventId, at);
  await upsertProgress(tx, eventId);
}

/** The history begins with the state at the first start of a version that has it. */
export const beginHistory = (tx: Tx): Promise<void> =>
  beginAgain(tx, { fromId: 0, reason: 'beginning' });

/** How far the events could be applied, and why not further. */
interface Applied {
  readonly upTo: number;
  readonly stoppedBy?: 'import' | 'unknown';
}

async function apply(
  tx: Tx,
  events: readonly LoggedEvent[],
  from: number,
  log: Logger,
): Promise<Applied> {
  const world = createWorld(await listCurrentStates(tx.db, events.flatMap(subjectsOf)));
  const slices = createSlices();
  let applied: Applied = { upTo: from };
  for (const event of events) {
    if (isOfImport(event)) {
      applied = { ...applied, stoppedBy: 'import' };
      break;
    }
    world.advanceTo(event.id);
    try {
      applyEvent(event, world);
    } catch (error) {
      // An event of an older version may lack something. The history goes on with the present state.
      log.warn({ error, event: event.id, type: event.type }, 'an event does not fit the history');
      applied = { ...applied, stoppedBy: 'unknown' };
      break;
    }
    applied = { upTo: event.id };
    if (slices.isOver()) await slices.pause();
  }
  await writeChanges(tx, world.changes(applied.upTo));
  return applied;
}

/** Applies the next events. Returns whether there were any. */
export async function advance(tx: Tx, log: Logger): Promise<boolean> {
  const from = await lockProgress(tx);
  if (from === undefined) {
    await beginHistory(tx);
    return true;
  }
  const { anchor, head } = await readLog(tx.db);
  if (from >= head) return false;
  if (from < anchor) {
    await beginAgain(tx, { fromId: from + 1, reason: 'unknown' });
    return true;
  }
  const events = await listEventsAfter(tx.db, from, portion);
  const { upTo, stoppedBy } = await apply(tx, events, from, log);
  if (stoppedBy) {
    await beginAgain(tx, { fromId: upTo + 1, reason: stoppedBy });
    return true;
  }
  await rememberMoment(tx, upTo);
  await upsertProgress(tx, upTo);
  return true;
}

/** Not for every event: the table has a row for each few hundred. */
async function rememberMoment(tx: Tx, upTo: number): Promise<void> {
  const last = await findLastMoment(tx.db);
  const after = last?.eventId ?? 0;
  if (upTo - after < eventsPerMoment) return;
  const at = await findLastRecorded(tx.db, { after, upTo });
  if (at !== undefined) await insertMoment(tx, upTo, at);
}

/** Removes states that ended before the retained log begins. */
export const removeOldStates = async (tx: Tx): Promise<void> =>
  deleteBefore(tx, (await readLog(tx.db)).anchor);
