import { keepPreviousData, type QueryClient, useQueries, useQuery } from '@tanstack/react-query';
import { api, type Response } from '../../api.ts';
import { queryClient, read } from '../../queries.ts';
import { type FeatureAddress, readFeatureSearch, toQuery } from './search.ts';

type FeaturePage = Response<'GET /api/admin/search/features'>;
export type FoundFeature = FeaturePage['features'][number];
export type FeatureQuery = ReturnType<typeof toQuery>;

const pageSize = 50;

/** Pages out of sight are dropped soon, so that a long scroll doesn't fill the memory. */
const forgottenAfterMs = 60_000;

const pageOf = (query: FeatureQuery, page: number) => ({
  ...read('GET /api/admin/search/features', {
    query: { ...query, limit: String(pageSize), offset: String(page * pageSize) },
  }),
  gcTime: forgottenAfterMs,
});

/** Reads the first features of a list while its page is still loading. Nothing waits for them. */
export function prefetchFeatures(address: FeatureAddress, project?: string): void {
  const query = toQuery(readFeatureSearch(address), project);
  void queryClient.prefetchQuery(pageOf(query, 0));
}

interface Range {
  readonly first: number;
  readonly last: number;
}

/**
 * The features in a range of rows, read by their pages: the user can jump to row 9,000 without the
 * rows before it.
 */
export function useFeatures(query: FeatureQuery, { first, last }: Range) {
  const start = useQuery({ ...pageOf(query, 0), placeholderData: keepPreviousData });
  const total = start.data?.total ?? 0;
  const from = Math.max(1, Math.floor(first / pageSize));
  const to = Math.floor(Math.max(0, Math.min(last, total - 1)) / pageSize);
  const shown = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  const others = useQueries({ queries: shown.map((page) => pageOf(query, page)) });
  const featureAt = (row: number): FoundFeature | undefined => {
    const page = Math.floor(row / pageSize);
    const data = page === 0 ? start.data : others[page - from]?.data;
    return data?.features[row % pageSize];
  };
  return { start, total, featureAt };
}

/** The most that is selected with one click; the server changes a thousand in a request. */
export const maxSelected = 10_000;
const namesAtOnce = 1000;

/** A range of what matches, for a selection. A request for each thousand rows. */
export async function readMatching(
  client: QueryClient,
  query: FeatureQuery,
  from: number,
  to: number,
): Promise<FoundFeature[]> {
  const found: FoundFeature[] = [];
  const end = Math.min(to, from + maxSelected);
  for (let offset = from; offset < end; offset += namesAtOnce) {
    const limit = Math.min(namesAtOnce, end - offset);
    const { features } = await client.fetchQuery({
      queryKey: ['GET /api/admin/search/features', 'range', query, offset, limit],
      queryFn: ({ signal }) =>
        api('GET /api/admin/search/features', {
          query: { ...query, limit: String(limit), offset: String(offset) },
          signal,
        }),
      gcTime: 0,
      staleTime: 0,
    });
    found.push(...features);
    if (features.length < limit) break;
  }
  return found;
}
