import { useQuery } from '@tanstack/react-query';
import { type Directory, directoryOf } from './directory.ts';
import { useFirstView } from './first-view.ts';
import { useMay } from './me.ts';
import { read } from './queries.ts';

export const directoryQuery = read('GET /api/admin/user-admin/access', {});
const projectsQuery = read('GET /api/admin/projects', {});
const archivedQuery = read('GET /api/admin/projects', { query: { archived: 'true' } });
const rolesQuery = read('GET /api/admin/roles', {});

/** The last directory and what it was made of: every row of a list asks for it. */
let built: { readonly from: readonly unknown[]; readonly directory: Directory } | undefined;

/** The names of users, groups, projects and roles; without any until they are loaded. */
export function useDirectory(): Directory {
  const accounts = useQuery(directoryQuery).data;
  const projects = useQuery(projectsQuery).data?.projects;
  // Few events have ids of roles and archived projects, and only some users can read roles.
  const roles = useQuery({ ...rolesQuery, enabled: false }).data?.roles;
  const archived = useQuery({ ...archivedQuery, enabled: false }).data?.projects;
  const from = [accounts, projects, roles, archived];
  if (built?.from.every((each, index) => each === from[index])) return built.directory;
  const directory = directoryOf({
    ...accounts,
    projects: [...(archived ?? []), ...(projects ?? [])],
    roles,
  });
  built = { from, directory };
  return directory;
}

/** Loads the names of archived projects into the directory if one of these may be archived. */
export function useArchivedNames(ids: readonly (string | null | undefined)[]): void {
  const projects = useQuery(projectsQuery).data?.projects;
  const enabled =
    projects !== undefined &&
    ids.some((id) => typeof id === 'string' && projects.every((project) => project.id !== id));
  useQuery({ ...archivedQuery, enabled });
}

/** Loads the names of custom roles and archived projects into the directory, for pages that show events. */
export function useNamesInEvents(): void {
  const may = useMay();
  const enabled = useFirstView();
  useQuery({ ...archivedQuery, enabled });
  useQuery({ ...rolesQuery, enabled: enabled && may('READ_ROLE') });
}
