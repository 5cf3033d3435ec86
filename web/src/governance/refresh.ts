import { invalidate } from '../queries.ts';

/** Everything that shows change requests reads them again. */
export const refreshRequests = (): Promise<unknown> =>
  invalidate(
    'GET /api/admin/projects/:projectId/change-requests/:id',
    'GET /api/admin/projects/:projectId/change-requests/pending/:featureName',
    'GET /api/admin/search/change-requests',
    'GET /api/admin/attention',
    'GET /api/admin/calendar',
  );
