import { read } from '../../queries.ts';

/** One feature, archived or not, with the id that says whether someone else changed it since. */
export const featureQuery = (params: {
  readonly projectId: string;
  readonly featureName: string;
}) =>
  read('GET /api/admin/projects/:projectId/features/:featureName', {
    params,
    query: { archived: 'true', lastEventId: 'true' },
  });

/** Its evaluations in the last hour, and the applications. */
export const featureUsageQuery = (featureName: string) =>
  read('GET /api/admin/client-metrics/features/:featureName', { params: { featureName } });
