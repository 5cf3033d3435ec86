import { useQuery } from '@tanstack/react-query';
import { read } from './queries.ts';

/** The name of a project by its ID, or the ID where the user can't see the project. */
export function useProjectNames(): (id: string) => string {
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects;
  return (id) => projects?.find((project) => project.id === id)?.name ?? id;
}
