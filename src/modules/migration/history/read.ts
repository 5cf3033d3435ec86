import type { ReadingClient } from '../unleash/client.ts';
import {
  type Json,
  listOf,
  numberOf,
  numberOrNull,
  objectOf,
  textOf,
  textOrNull,
} from '../unleash/plain.ts';

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

/**
 * Reads all events after an id, oldest first. The search there responds with the newest first, and events recorded
 * meanwhile shift its pages, so events are collected by id. Before 7 it has no order among events of one moment: a page
 * may repeat an event and miss another, so that missing ones are looked for once more.
 */
export async function readEventsAfter(
  client: ReadingClient,
  after: number,
  progress: (done: number) => void = () => undefined,
): Promise<PastEvent[]> {
  const events = new Map<number, PastEvent>();
  for (let rounds = 0; rounds < 2; rounds += 1) {
    let total = 0;
    for (let offset = 0; ; offset += pageSize) {
      const page = objectOf(
        await client.get(`/api/admin/search/events?limit=${pageSize}&offset=${offset}`),
      );
      const rows = listOf(page.events).map(eventOf);
      total = numberOf(page.total, rows.length);
      for (const event of rows) if (event.id > after) events.set(event.id, event);
      progress(events.size);
      if (rows.length === 0 || offset + rows.length >= total) break;
      if (rows.every(({ id }) => id <= after)) break;
    }
    if (after > 0 || events.size >= total) break;
  }
  return [...events.values()].sort((a, b) => a.id - b.id);
}
