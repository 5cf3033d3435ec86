import { queryOptions } from '@tanstack/react-query';
import { ApiError, api, type Response } from '../../api.ts';
import { ownKey } from '../../own-storage.ts';
import { read } from '../../queries.ts';
import { queryOf } from './view-query.ts';

export type SavedView = Response<'GET /api/admin/saved-views'>['views'][number];
export type ViewPage = SavedView['page'];

/** A view of the event log in the storage of the browser, where earlier versions saved them. */
interface BrowserView {
  readonly name: string;
  readonly q: string;
}

function browserViewsOf(key: string): readonly BrowserView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

/** Moves the views of this browser to the server. What can't be moved now stays for the next time. */
async function moveBrowserViews(userId: number): Promise<void> {
  const key = ownKey(userId, 'log-views');
  const views = browserViewsOf(key);
  for (const [nth, { name, q }] of views.entries()) {
    try {
      const body = { page: 'events' as const, name: name.slice(0, 100), query: queryOf({ q }) };
      await api('POST /api/admin/saved-views', { body });
    } catch (error) {
      // The server has a view of this name already, or can never store this one.
      if (!(error instanceof ApiError) || ![400, 409].includes(error.status)) return;
    }
    localStorage.setItem(key, JSON.stringify(views.slice(nth + 1)));
  }
  localStorage.removeItem(key);
}

/** The own and shared views of a list. */
export function viewsQuery(userId: number, page: ViewPage, project: string | undefined) {
  const request = { query: { page, ...(project !== undefined && { project }) } };
  return queryOptions({
    queryKey: read('GET /api/admin/saved-views', request).queryKey,
    queryFn: async ({ signal }) => {
      if (page === 'events') await moveBrowserViews(userId);
      return api('GET /api/admin/saved-views', { ...request, signal });
    },
  });
}
