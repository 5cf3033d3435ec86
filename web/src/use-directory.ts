import { useQuery } from '@tanstack/react-query';
import { type Directory, directoryOf, emptyDirectory } from './directory.ts';
import { read } from './queries.ts';

export const directoryQuery = read('GET /api/admin/user-admin/access', {});

/** One directory for every list on the page. */
const built = new WeakMap<object, Directory>();

/** The names of users and groups; without any until they are loaded. */
export function useDirectory(): Directory {
  const { data } = useQuery(directoryQuery);
  if (!data) return emptyDirectory;
  const found = built.get(data) ?? directoryOf(data);
  built.set(data, found);
  return found;
}
