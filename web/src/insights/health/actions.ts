import { api } from '../../api.ts';
import { invalidate } from '../../queries.ts';

/** Everything that shows something else after a feature was judged. */
export const refreshHealth = () =>
  invalidate(
    'GET /api/admin/projects',
    'GET /api/admin/projects/:projectId/status/findings',
    'GET /api/admin/projects/:projectId/budget',
    'GET /api/admin/projects/:projectId/health-history',
    'GET /api/admin/projects/:projectId/overview',
    'GET /api/admin/projects/:projectId/features/:featureName',
    'GET /api/admin/search/features',
    'GET /api/admin/search/events',
    'GET /api/admin/insights',
  );

export interface Outcomes {
  readonly done: readonly string[];
  readonly refused: readonly { readonly name: string; readonly why: string }[];
}

/** One request after the other, with an answer for each: what is refused stops nothing else. */
async function forEach(
  names: readonly string[],
  act: (featureName: string) => Promise<unknown>,
): Promise<Outcomes> {
  const done: string[] = [];
  const refused: { name: string; why: string }[] = [];
  for (const name of names) {
    try {
      await act(name);
      done.push(name);
    } catch (error) {
      refused.push({ name, why: (error as Error).message });
    }
  }
  await refreshHealth();
  return { done, refused };
}

export interface Keeping {
  readonly reason: string;
  /** Without an instant it is kept for good. */
  readonly until?: string;
}

export const keep = (projectId: string, names: readonly string[], { reason, until }: Keeping) =>
  forEach(names, (featureName) =>
    api('PUT /api/admin/projects/:projectId/features/:featureName/review', {
      params: { projectId, featureName },
      body: until === undefined ? { reason, permanent: true } : { reason, snoozedUntil: until },
    }),
  );

export const unkeep = (projectId: string, names: readonly string[]) =>
  forEach(names, (featureName) =>
    api('DELETE /api/admin/projects/:projectId/features/:featureName/review', {
      params: { projectId, featureName },
    }),
  );

export const complete = (
  projectId: string,
  names: readonly string[],
  status: 'kept' | 'discarded',
) =>
  forEach(names, (featureName) =>
    api('POST /api/admin/projects/:projectId/features/:featureName/lifecycle/complete', {
      params: { projectId, featureName },
      body: { status },
    }),
  );

export const uncomplete = (projectId: string, names: readonly string[]) =>
  forEach(names, (featureName) =>
    api('POST /api/admin/projects/:projectId/features/:featureName/lifecycle/uncomplete', {
      params: { projectId, featureName },
    }),
  );
