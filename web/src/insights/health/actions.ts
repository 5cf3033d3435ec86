import { api, type Response } from '../../api.ts';
import { changeInBulk } from '../../flags/bulk/bulk-actions.ts';
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

type Answer = Response<'POST /api/admin/features/bulk'>['features'];

/** As many as the server takes at once. */
const atOnce = 1000;

/** Sends a long list in parts, one after the other. What is refused stops nothing else. */
async function inParts(
  names: readonly string[],
  act: (part: string[]) => Promise<Answer>,
): Promise<Outcomes> {
  const answers: Answer[] = [];
  for (let from = 0; from < names.length; from += atOnce) {
    answers.push(await act(names.slice(from, from + atOnce)));
  }
  await refreshHealth();
  const all = answers.flat();
  return {
    done: all.filter(({ outcome }) => outcome !== 'refused').map(({ name }) => name),
    refused: all.flatMap(({ name, why }) => (why === undefined ? [] : [{ name, why }])),
  };
}

export interface Keeping {
  readonly reason: string;
  /** Without an instant it is kept for good. */
  readonly until?: string;
}

export const keep = (projectId: string, names: readonly string[], { reason, until }: Keeping) =>
  inParts(names, async (features) => {
    const term = until === undefined ? { permanent: true } : { snoozedUntil: until };
    return (
      await api('POST /api/admin/projects/:projectId/reviews', {
        params: { projectId },
        body: { features, reason, ...term },
      })
    ).features;
  });

export const unkeep = (projectId: string, names: readonly string[]) =>
  inParts(
    names,
    async (features) =>
      (
        await api('POST /api/admin/projects/:projectId/reviews/delete', {
          params: { projectId },
          body: { features },
        })
      ).features,
  );

export const complete = (names: readonly string[], status: 'kept' | 'discarded') =>
  inParts(names, (part) => changeInBulk({ action: 'complete', status }, part));

export const uncomplete = (names: readonly string[]) =>
  inParts(names, (part) => changeInBulk({ action: 'uncomplete' }, part));
