import type { Response } from '../api.ts';
import { read } from '../queries.ts';

export type WholeEvent = Response<'GET /api/admin/search/events/:id'>;

/** The event with its request and its integrity, read again while the log is being verified. */
export const wholeEvent = (id: number) => ({
  ...read('GET /api/admin/search/events/:id', { params: { id: String(id) } }),
  staleTime: 60_000,
  refetchInterval: ({ state }: { state: { data?: WholeEvent | undefined } }) =>
    state.data?.chain.state === 'checking' ? 2_000 : (false as const),
});
