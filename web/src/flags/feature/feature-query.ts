import { read } from '../../queries.ts';

/** One feature, archived or not, with the id that says whether somebody changed it since. */
export const featureQuery = (params: {
  readonly projectId: string;
  readonly featureName: string;
}) =>
  read('GET /api/admin/projects/:projectId/features/:featureName', {
    params,
    query: { archived: 'true', lastEventId: 'true' },
  });

/** How often it was asked for in the last hour, and by which applications. */
export const featureUsageQuery = (featureName: string) =>
  read('GET /api/admin/client-metrics/features/:featureName', { params: { featureName } });
