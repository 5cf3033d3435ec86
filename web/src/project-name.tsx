import { useQuery } from '@tanstack/react-query';
import { read } from './queries.ts';

/** The names of projects by ID; the ID itself for those that are archived, not visible or not loaded yet. */
export function useProjectName(): (id: string) => string {
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects;
  const names = new Map(projects?.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}

/** In tables of many rows: looks for one name instead of preparing all. */
export function ProjectName({ id }: { readonly id: string }) {
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects;
  return projects?.find((project) => project.id === id)?.name ?? id;
}
