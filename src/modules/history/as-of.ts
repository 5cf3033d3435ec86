import type { Db } from '../../platform/db/database.ts';
import { AppError, badData, notFound, unavailable } from '../../platform/errors.ts';
import { readLog } from '../events/index.ts';
import { applyEvent, isOfImport, type LoggedEvent, subjectsOf } from './fold.ts';
import {
  findGap,
  findLastBy,
  findMoment,
  findProgress,
  listEventsAfter,
  listStatesAfter,
  type Selection,
} from './queries.ts';
import { type CurrentState, createWorld } from './world.ts';

/** So many events after the last one that the history contains are applied to answer a request. */
const maxRest = 5_000;
/** More characters of them are not read. */
const maxRestCharacters = 16_000_000;
/** Read at once. Each may have a quarter of a megabyte. */
const restPortion = 100;

/** The state of everything that was selected, after an event. */
export interface Past
  extends Pick<ReturnType<typeof createWorld>, 'find' | 'partsOf' | 'list' | 'evaluatedFromId'> {
  readonly eventId: number;
}

/** An instant, or the ID of an event: the state after it. */
export interface AsOf {
  readonly asOf: string;
  readonly now: Date;
  /** What the request calls it, if not asOf. */
  readonly name?: string;
  /** A range may begin and end before the installation, because nothing happened before it. */
  readonly isOfRange?: true;
}

const unknownPast = (message: string) => new AppError(404, 'NotFoundError', message);

const becauseOfGap = {
  beginning: 'the history of this installation begins later',
  import: 'an import was running',
  unknown: "an event recorded by an earlier version doesn't have enough detail",
} as const;

export const notReady = () =>
  unavailable('The history is being computed. Try again in a moment', 10);

/** Undefined for a day that doesn't exist: February 30 would be March 2. */
function instantOf(text: string): Date | undefined {
  const [day = ''] = text.split('T');
  const [at, start] = [new Date(text), new Date(`${day}T00:00:00Z`)];
  const isReal = !Number.isNaN(at.getTime()) && start.toISOString().startsWith(day);
  return isReal ? at : undefined;
}

async function findEventAt(db: Db, moment: AsOf, head: number): Promise<number> {
  const { asOf, now, name: path = 'asOf', isOfRange } = moment;
  if (/^\d{1,15}$/.test(asOf)) {
    const eventId = Number(asOf);
    if (eventId > head) throw notFound('event', asOf);
    return eventId;
  }
  const at = instantOf(asOf);
  if (!at) {
    const message = `${path} must be the ID of an event, or a date and time such as 2026-11-17T14:03:00Z`;
    throw badData([{ path, message }]);
  }
  if (at > now) throw badData([{ path, message: `${path} must not be in the future` }]);
  const unknown = () =>
    unknownPast(`The state at ${at.toISOString()} is unknown: ${becauseOfGap.beginning}`);
  const span = await findMoment(db, at);
  if (!span) throw unknown();
  const { eventId: after, next } = span;
  const upTo = next ?? head;
  if (upTo - after > maxRest) throw notReady();
  const { id, isBefore } = await findLastBy(db, { after, upTo, at });
  // A new installation had nothing before its first events.
  if (id === null && isBefore && !isOfRange) throw unknown();
  return id ?? after;
}

/** The event that decides what was there at a moment. Throws if that is unknown. */
export async function getEventAt(db: Db, moment: AsOf): Promise<number> {
  const { anchor, head } = await readLog(db);
  const eventId = await findEventAt(db, moment, head);
  if (eventId < anchor) {
    throw unknownPast(
      `The state after event ${eventId} is unknown: events up to ${anchor} were removed by retention`,
    );
  }
  const gap = await findGap(db, eventId);
  if (gap) {
    throw unknownPast(
      `The state ${
        gap.reason === 'beginning'
          ? `before event ${gap.toId}`
          : `between events ${gap.fromId} and ${gap.toId}`
      } is unknown: ${becauseOfGap[gap.reason]}`,
    );
  }
  return eventId;
}

/** The last event that the history contains, and those after it, up to an event. */
export async function readRest(
  db: Db,
  eventId: number,
): Promise<{ readonly progress: number; readonly rest: readonly LoggedEvent[] }> {
  const progress = (await findProgress(db)) ?? 0;
  if (eventId <= progress) return { progress, rest: [] };
  if (eventId - progress > maxRest) throw notReady();
  const rest: LoggedEvent[] = [];
  let characters = 0;
  for (let from = progress; from < eventId; from += restPortion) {
    const events = await listEventsAfter(db, from, Math.min(restPortion, eventId - from));
    characters += events.reduce((sum, event) => sum + event.characters, 0);
    if (characters > maxRestCharacters || events.some(isOfImport)) throw notReady();
    rest.push(...events);
  }
  return { progress, rest };
}

/** Reads what was there at a moment. */
export async function readPast(
  db: Db,
  moment: AsOf,
  selections: readonly Selection[],
): Promise<Past> {
  const eventId = await getEventAt(db, moment);
  const { progress, rest } = await readRest(db, eventId);
  const subjects = rest.flatMap(subjectsOf);
  const found: (readonly CurrentState[])[] = [];
  for (const selection of subjects.length > 0 ? [...selections, { subjects }] : selections) {
    found.push(await listStatesAfter(db, Math.min(eventId, progress), selection));
  }
  const world = createWorld(found.flat());
  try {
    for (const event of rest) applyEvent(event, world);
  } catch {
    // The job reports the event, and goes on with the present state.
    throw notReady();
  }
  const { find, partsOf, list, evaluatedFromId } = world;
  return { eventId, find, partsOf, list, evaluatedFromId };
}
