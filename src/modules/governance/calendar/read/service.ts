import type { Actor } from '../../../../platform/actor.ts';
import { dayMs } from '../../../../platform/clock.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { grouped } from '../../../../platform/grouped.ts';
import { listNames, presentUser, titleOf } from '../../change-requests/index.ts';
import type { CalendarScope } from '../calendar-schema.ts';
import { type CalendarEntry, maxEntries } from './contract.ts';
import { calendarFile } from './icalendar.ts';
import { type EntryFilter, listScheduled, type ScheduledRequest } from './queries.ts';

/** Each request with the names of what it changes. */
async function withNames(db: Db, requests: readonly ScheduledRequest[]) {
  const ids = requests.map(({ id }) => id);
  const names = grouped(await listNames(db, ids), ({ requestId }) => requestId);
  return requests.map((request) => {
    const own = names.get(request.id) ?? [];
    const segments = own.flatMap(({ segmentId, segment }) =>
      segmentId === null ? [] : (segment ?? String(segmentId)),
    );
    const features = [...new Set(own.flatMap(({ feature }) => feature ?? []))];
    return {
      ...request,
      // Only generated titles name the environment.
      isGenerated: request.title === null,
      title: titleOf(request, own.length, [...features, ...new Set(segments)]),
      features,
      segments: [...new Set(segments)],
    };
  });
}
export type CalendarRequest = Awaited<ReturnType<typeof withNames>>[number];

interface Viewer {
  readonly actor: Pick<Actor, 'id' | 'sees'>;
  readonly baseUrl: string;
}

interface Query extends Omit<EntryFilter, 'from' | 'to'> {
  readonly from?: string;
  readonly to?: string;
}

export async function readCalendar(
  db: Db,
  { actor, baseUrl }: Viewer,
  { from, to, ...query }: Query,
  now: Date,
): Promise<{ entries: CalendarEntry[]; truncated: boolean }> {
  const filter = {
    ...query,
    from: from === undefined ? new Date(now.getTime() - 30 * dayMs) : new Date(from),
    ...(to !== undefined && { to: new Date(to) }),
  };
  const found = await listScheduled(db, actor, filter, maxEntries + 1);
  const requests = await withNames(db, found.slice(0, maxEntries));
  return {
    entries: requests.map((request): CalendarEntry => {
      const { id, title, project, environment, features, segments, timeZone, reason } = request;
      return {
        id,
        title,
        project,
        environment,
        features,
        segments,
        scheduledAt: request.scheduledAt.toISOString(),
        ...(timeZone !== null && { timeZone }),
        status: request.status,
        ...(reason !== null && { reason }),
        createdBy: presentUser(baseUrl, request.createdByUserId, request.createdBy),
      };
    }),
    truncated: found.length > maxEntries,
  };
}

const pastMs = 90 * dayMs;

export async function readCalendarFile(
  db: Db,
  { actor, baseUrl }: Viewer,
  scope: CalendarScope,
  { now, instanceId }: { readonly now: Date; readonly instanceId: string },
): Promise<string> {
  // From the beginning of a day, so that the file changes only with what it contains.
  const from = new Date(Math.floor((now.getTime() - pastMs) / dayMs) * dayMs);
  const found = await listScheduled(db, actor, { ...scope, from }, maxEntries);
  return calendarFile(await withNames(db, found), { scope, baseUrl, instanceId });
}
