import { MutationCache, QueryClient, queryOptions } from '@tanstack/react-query';
import type { Api } from '../../src/contract.ts';
import { ApiError, api, type Request, type Response } from './api.ts';

export type Read = Extract<keyof Api & string, `GET ${string}`>;

/** A read of the contract, under a key that begins with its operation. */
export const read = <O extends Read>(operation: O, request: Request<O>) =>
  queryOptions<Response<O>>({
    queryKey: [operation, request],
    queryFn: ({ signal }) => api(operation, { ...request, signal }),
  });

const isRefusal = (error: unknown) => error instanceof ApiError && error.status < 500;

export const queryClient = new QueryClient({
  mutationCache: new MutationCache({
    onError: (error) => {
      // The header should show maintenance mode, too.
      if (error instanceof ApiError && error.kind === 'MaintenanceError') {
        void invalidate('GET /api/admin/ui-config');
      }
    },
  }),
  defaultOptions: {
    queries: {
      // The event stream says what has changed; nothing is refetched because of time alone.
      staleTime: 5 * 60_000,
      retry: (count, error) => !isRefusal(error) && count < 3,
    },
  },
});

/** Makes every open view that reads one of these operations read it again. */
export const invalidate = (...operations: readonly Read[]): Promise<unknown> =>
  Promise.all(
    operations.map((operation) => queryClient.invalidateQueries({ queryKey: [operation] })),
  );
