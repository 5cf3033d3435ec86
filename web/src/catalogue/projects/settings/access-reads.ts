import type { Response } from '../../../api.ts';
import { invalidate } from '../../../queries.ts';

export type Access = Response<'GET /api/admin/projects/:projectId/access'>;
export type ProjectRole = Access['roles'][number];

/** What depends on who has access. */
export const accessReads = [
  'GET /api/admin/projects/:projectId/access',
  'GET /api/admin/projects/:projectId/overview',
  'GET /api/admin/projects',
  'GET /api/admin/user',
] as const;

export const refreshAccess = () => invalidate(...accessReads);
