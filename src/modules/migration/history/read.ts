import { isDeepStrictEqual } from 'node:util';
import { StartError } from '../../../platform/start-error.ts';
import type { ReadingClient } from '../unleash/client.ts';
import { createPageCounter, mostListed } from '../unleash/limits.ts';
import {
  type Json,
  listIn,
  listOf,
  numberOf,
  numberOrNull,
  objectOf,
  textOf,
  textOrNull,
} from '../unleash/plain.ts';
import { readVersion } from '../unleash/read-version.ts';

/** An event as the other installation recorded it. */
export interface PastEvent {
  readonly id: number;
  readonly type: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly createdByUserId: number | null;
  readonly project: string | null;
  readonly environment: string | null;
  readonly featureName: string | null;
  readonly data: unknown;
  readonly preData: unknown;
  readonly tags: readonly { readonly type: string; readonly value: string }[];
}

const pageSize = 1000;

/** An event with a smaller id may become visible later, when its transaction ends. So many are read once more. */
export const overlap = 200;

const eventOf = (event: Json): PastEvent => ({
  id: numberOf(event.id, 0),
  type: textOf(event.type),
  createdAt: textOf(event.createdAt),
  createdBy: textOf(event.createdBy),
  createdByUserId: numberOrNull(event.createdByUserId),
  project: textOrNull(event.project),
  environment: textOrNull(event.environment),
  featureName: textOrNull(event.featureName),
  data: event.data ?? null,
  preData: event.preData ?? null,
  tags: listOf(event.tags).map(({ type, value }) => ({ type: textOf(type), value: textOf(value) })),
});

interface EventPage {
  readonly events: readonly PastEvent[];
  readonly total: number;
}

/** A page of the log, newest first. Version 5 has it under another address, and in smaller pages. */
async function readPage(
  client: ReadingClient,
  offset: number,
  limit: number,
): Promise<EventPage | undefined> {
  const found = await client.find(`/api/admin/search/events?limit=${limit}&offset=${offset}`);
  if (found === undefined) return undefined;
  const rows = listIn(found, 'events').map(eventOf);
  return { events: rows, total: numberOf(objectOf(found).total, rows.length) };
}

async function searchPage(
  client: ReadingClient,
  offset: number,
  limit: number,
): Promise<EventPage> {
  const words = { limit: Math.min(limit, 100), offset };
  const found = objectOf(await client.search('/api/admin/events/search', words));
  const rows = listOf(found.events).map(eventOf);
  return { events: rows, total: numberOf(found.totalEvents, rows.length) };
}

/** Reads pages in the way that this version has. Nothing but an Unleash gets a POST request. */
function createPages(client: ReadingClient) {
  let isSearched = false;
  return async (offset: number, limit: number): Promise<EventPage> => {
    const page = isSearched ? undefined : await readPage(client, offset, limit);
    if (page) return page;
    if (!isSearched) await readVersion(client);
    isSearched = true;
    return searchPage(client, offset, limit);
  };
}

/** The id of the newest event there. */
export const newestEvent = async (client: ReadingClient): Promise<number> =>
  (await createPages(client)(0, 1)).events[0]?.id ?? 0;

/** Where events are collected. */
export interface EventCollection {
  readonly size: number;
  readonly add: (events: readonly PastEvent[]) => void;
}

/**
 * Collects all events after an id. The search there responds with the newest first, and events recorded meanwhile shift
 * its pages, so events are collected by id. Before 7 it has no order among events of one moment: a page may repeat an
 * event and miss another, so that missing ones are looked for once more. Returns how many there are.
 */
export async function collectEventsAfter(
  client: ReadingClient,
  after: number,
  collection: EventCollection,
): Promise<number> {
  const readAt = createPages(client);
  let total = 0;
  for (let rounds = 0; rounds < 2; rounds += 1) {
    const countPage = createPageCounter('events', mostListed.events);
    let before: readonly PastEvent[] = [];
    for (let offset = 0; ; ) {
      const page = await readAt(offset, pageSize);
      const { events } = page;
      countPage(events.length);
      if (events.length > 0 && isDeepStrictEqual(events, before)) {
        throw new StartError('The event search returns the same pages endlessly.');
      }
      before = events;
      total = page.total;
      collection.add(events.filter(({ id }) => id > after));
      offset += events.length;
      if (events.length === 0 || offset >= total) break;
      if (events.every(({ id }) => id <= after)) break;
    }
    if (after > 0 || collection.size >= total) break;
  }
  return after > 0 ? collection.size : total;
}

/** All events after an id, oldest first. For few. */
export async function readEventsAfter(client: ReadingClient, after: number): Promise<PastEvent[]> {
  const events = new Map<number, PastEvent>();
  await collectEventsAfter(client, after, {
    get size() {
      return events.size;
    },
    add: (some) => {
      for (const event of some) events.set(event.id, event);
    },
  });
  return [...events.values()].sort((a, b) => a.id - b.id);
}
