import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, type Response } from '../api.ts';
import type { LogEvent } from '../events/sentence.ts';
import { isBy } from './moment.ts';

type Page = Response<'GET /api/admin/search/events'>;

const operation = 'GET /api/admin/search/events';
const pageSize = '200';

interface FeatureEvents {
  /** Newest first, at least up to the moment. */
  readonly events: readonly LogEvent[];
  /** The place of the last event by the moment; the number of events if all are later. */
  readonly place: number;
  readonly total: number;
  readonly isPending: boolean;
  readonly error: Error | null;
}

/** The events of a feature. Older ones are read until the one that decides the moment, and one before it, are known. */
export function useFeatureEvents(feature: string, moment: string): FeatureEvents {
  const found = useInfiniteQuery({
    queryKey: [operation, { feature }, 'timeline'],
    queryFn: ({ pageParam, signal }) =>
      api(operation, {
        query: {
          feature: `IS:${feature}`,
          limit: pageSize,
          ...(pageParam !== '' && { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: Page) => nextCursor,
  });
  const events = found.data?.pages.flatMap((page) => page.events) ?? [];
  const place = events.findIndex((event) => isBy(moment, event));
  const isShort = found.data !== undefined && (place === -1 || place >= events.length - 1);
  const { hasNextPage, isFetching, fetchNextPage } = found;
  useEffect(() => {
    if (isShort && hasNextPage && !isFetching) void fetchNextPage();
  }, [isShort, hasNextPage, isFetching, fetchNextPage]);
  return {
    events,
    place: place === -1 ? events.length : place,
    total: found.data?.pages[0]?.total ?? 0,
    isPending: found.isPending || (isShort && hasNextPage && !found.isError),
    error: found.error,
  };
}
