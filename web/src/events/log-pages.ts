import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, type Response } from '../api.ts';
import { onLogEvent } from '../live.ts';
import { read } from '../queries.ts';
import type { EventParameters } from './query/translate.ts';
import { type LogScope, withScope } from './scope.ts';
import type { LogEvent } from './sentence.ts';

type Page = Response<'GET /api/admin/search/events'>;

const pageSize = 50;

/** Pages out of sight are dropped after this time, and read again by their cursor. */
const keptMs = 30_000;

/**
 * A page by its cursor. It never goes stale: visible rows must not move, and events don't change. `top` grows when the
 * user jumps to the newest.
 */
const pageQuery = (parameters: EventParameters, cursor: string, top: number) =>
  queryOptions<Page>({
    queryKey: ['log', parameters, cursor, cursor === '' ? top : 0],
    queryFn: ({ signal }) =>
      api('GET /api/admin/search/events', {
        query: { ...parameters, limit: String(pageSize), ...(cursor !== '' && { cursor }) },
        signal,
      }),
    staleTime: 'static',
    gcTime: keptMs,
  });

/** The pages that were read: where each begins, and how many events it has. */
interface LoadedPages {
  readonly key: string;
  readonly parameters: EventParameters;
  readonly top: number;
  readonly total: number;
  readonly cursors: readonly string[];
  /** Events in all pages but the last are a full page. */
  readonly count: number;
  readonly isWhole: boolean;
  readonly newest: number;
}

const loadedFrom = (
  key: string,
  parameters: EventParameters,
  top: number,
  { events, total, nextCursor }: Page,
): LoadedPages => ({
  key,
  parameters,
  top,
  total,
  cursors: ['', ...(nextCursor === undefined ? [] : [nextCursor])],
  count: events.length,
  isWhole: nextCursor === undefined,
  newest: events[0]?.id ?? 0,
});

const withPage = (known: LoadedPages, index: number, { events, nextCursor }: Page): LoadedPages =>
  known.cursors.length !== index + 1
    ? known
    : {
        ...known,
        cursors: nextCursor === undefined ? known.cursors : [...known.cursors, nextCursor],
        count: index * pageSize + events.length,
        isWhole: nextCursor === undefined,
      };

export interface Log {
  readonly total: number;
  /** Number of events that can be shown; more may follow. */
  readonly count: number;
  readonly isWhole: boolean;
  readonly at: (index: number) => LogEvent | undefined;
  readonly find: (id: number) => LogEvent | undefined;
  readonly indexOf: (id: number) => number;
  /** The newest event of the first page. */
  readonly newest: number;
  /** Changes with the query, and with a jump to the newest. */
  readonly key: string;
  readonly parameters: EventParameters;
}

interface Range {
  readonly first: number;
  readonly last: number;
}

/**
 * The events of a query, as far as the user has scrolled. Only the pages near the range are in memory: a million events
 * cost no more than a few hundred.
 */
export function useLog(parameters: EventParameters | undefined, top: number, range: Range) {
  const key = JSON.stringify([parameters, top]);
  const first = useQuery({
    ...pageQuery(parameters ?? {}, '', top),
    enabled: parameters !== undefined,
  });
  const [known, setKnown] = useState<LoadedPages>();
  // The last result stays until the next one is loaded.
  if (parameters !== undefined && first.data && known?.key !== key) {
    setKnown(loadedFrom(key, parameters, top, first.data));
  }
  const last = Math.floor((range.last + pageSize / 2) / pageSize);
  const wanted = known
    ? known.cursors
        .map((_, index) => index)
        .filter((index) => index >= Math.floor(range.first / pageSize) - 1 && index <= last)
    : [];
  const pages = useQueries({
    queries: wanted.map((index) =>
      pageQuery(known?.parameters ?? {}, known?.cursors[index] ?? '', known?.top ?? 0),
    ),
  });
  const loaded = new Map(
    pages.flatMap(({ data }, place) => (data ? [[wanted[place] ?? 0, data] as const] : [])),
  );
  const newestPage = known ? loaded.get(known.cursors.length - 1) : undefined;
  const next =
    known && newestPage && !known.isWhole && known.cursors.length > 1
      ? withPage(known, known.cursors.length - 1, newestPage)
      : known;
  if (next !== known) setKnown(next);

  const at = (index: number) => loaded.get(Math.floor(index / pageSize))?.events[index % pageSize];
  const indexOf = (id: number): number => {
    for (const [page, { events }] of loaded) {
      const place = events.findIndex((event) => event.id === id);
      if (place >= 0) return page * pageSize + place;
    }
    return -1;
  };
  const log: Log | undefined = known && {
    total: known.total,
    count: known.count,
    isWhole: known.isWhole,
    newest: known.newest,
    key: known.key,
    parameters: known.parameters,
    at,
    indexOf,
    find: (id) => {
      const index = indexOf(id);
      return index < 0 ? undefined : at(index);
    },
  };
  return {
    log,
    error: first.error ?? pages.find(({ error }) => error)?.error ?? undefined,
    isLoading: first.isFetching,
  };
}

/** How many events a log has without a query. */
export const useTotal = (scope: LogScope, enabled: boolean): number | undefined =>
  useQuery({
    ...read('GET /api/admin/search/events', { query: withScope({ limit: '1' }, scope) }),
    enabled,
  }).data?.total;

/** A burst of events asks once. */
const burstMs = 250;

/**
 * How many events of the query are newer than the shown ones. The server counts, because it evaluates the query.
 */
export function useNewEvents(log: Log | undefined): number {
  const [found, setFound] = useState({ key: '', count: 0 });
  const key = log?.key ?? '';
  const total = log?.total ?? 0;
  const parameters = log?.parameters;
  useEffect(() => {
    if (parameters === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      timer = undefined;
      const now = await api('GET /api/admin/search/events', {
        query: { ...parameters, limit: '1' },
      }).catch(() => undefined);
      if (now) setFound({ key, count: Math.max(0, now.total - total) });
    };
    const stop = onLogEvent(() => {
      timer ??= setTimeout(() => void ask(), burstMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [key, total, parameters]);
  return found.key === key ? found.count : 0;
}
