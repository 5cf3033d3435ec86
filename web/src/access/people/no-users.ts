import type { UsersSearch } from '../admin-search.ts';

/** Why the list of users is empty: no one belongs in it, or a search or filters exclude everyone. */
export function noUsersReason({
  query,
  role,
  show,
}: UsersSearch): { readonly title: string; readonly text: string } | { readonly query?: string } {
  if (query === undefined && role === undefined) {
    if (show === 'inactive') {
      return {
        title: 'No inactive users',
        text: 'Everyone has been active in the last 180 days.',
      };
    }
    if (show === 'never') {
      return { title: 'No matching users', text: 'Everyone has signed in at least once.' };
    }
  }
  return query !== undefined && role === undefined && show === undefined ? { query } : {};
}
