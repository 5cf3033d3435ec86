import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { gather, type MovingEvents, movingTypes } from './moves.ts';

const pageSize = 1000;

/** The events of a project that can move its health. */
export const movingEvents = (projectId: string, from: string) =>
  queryOptions<MovingEvents>({
    queryKey: ['GET /api/admin/search/events', 'moving', projectId, from],
    queryFn: ({ signal }) =>
      gather((cursor) =>
        api('GET /api/admin/search/events', {
          query: {
            project: `IS:${projectId}`,
            type: `IS_ANY_OF:${movingTypes.join(',')}`,
            from: `IS:${from}`,
            limit: String(pageSize),
            ...(cursor !== undefined && { cursor }),
          },
          signal,
        }),
      ),
  });
