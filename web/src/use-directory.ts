import { useQuery } from '@tanstack/react-query';
import { type Directory, directoryOf } from './directory.ts';
import { useMay } from './me.ts';
import { read } from './queries.ts';

export const directoryQuery = read('GET /api/admin/user-admin/access', {});
const projectsQuery = read('GET /api/admin/projects', {});
const rolesQuery = read('GET /api/admin/roles', {});

/** The last directory and what it was made of: every row of a list asks for it. */
let built: { readonly from: readonly unknown[]; readonly directory: Directory } | undefined;

/** The names of users, groups, projects and roles; without any until they are loaded. */
export function useDirectory(): Directory {
  const accounts = useQuery(directoryQuery).data;
  const projects = useQuery(projectsQuery).data?.projects;
  // Few events have ids of roles, and only some users can read them.
  const roles = useQuery({ ...rolesQuery, enabled: false }).data?.roles;
  const from = [accounts, projects, roles];
  if (built?.from.every((each, index) => each === from[index])) return built.directory;
  const directory = directoryOf({ ...accounts, projects, roles });
  built = { from, directory };
  return directory;
}

/** Loads the names of custom roles into the directory, for pages that show the data of events. */
export function useRoleNames(): void {
  const may = useMay();
  useQuery({ ...rolesQuery, enabled: may('READ_ROLE') });
}
