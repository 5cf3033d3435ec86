import { useQuery } from '@tanstack/react-query';
import { useRefusalInAll } from '../../me.ts';
import { read } from '../../queries.ts';
import { requirement } from '../../requirement.ts';

/** Why the user can't clone features into any project. */
export function useCloneRefusal(): string | undefined {
  const refusalInAll = useRefusalInAll();
  const projects = useQuery(read('GET /api/admin/projects', {})).data?.projects ?? [];
  return (
    refusalInAll(
      'CREATE_FEATURE',
      projects.map(({ id }) => id),
    ) && requirement(['CREATE_FEATURE'], 'the target project')
  );
}
