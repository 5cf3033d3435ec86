import { ActionIcon } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { api, type Response } from '../../api.ts';
import { invalidate, queryClient } from '../../queries.ts';
import { tellProblem } from '../../ui/notices.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';

type Listed = Response<'GET /api/admin/projects'>;
type Overview = Response<'GET /api/admin/projects/:projectId/overview'>;

/** Shows the star in every open view as if it were set already. */
function show(id: string, favorite: boolean): void {
  queryClient.setQueriesData<Listed>(
    { queryKey: ['GET /api/admin/projects'] },
    (listed) =>
      listed && {
        ...listed,
        projects: listed.projects.map((each) => (each.id === id ? { ...each, favorite } : each)),
      },
  );
  queryClient.setQueriesData<Overview>(
    { queryKey: ['GET /api/admin/projects/:projectId/overview'] },
    (overview) => (overview?.id === id ? { ...overview, favorite } : overview),
  );
}

interface Props {
  readonly id: string;
  readonly name: string;
  readonly favorite: boolean;
}

/** The star of a project. Favorites come first in lists. */
export function FavoriteStar({ id, name, favorite }: Props) {
  const change = useMutation({
    mutationFn: (wanted: boolean) =>
      wanted
        ? api('POST /api/admin/projects/:projectId/favorites', { params: { projectId: id } })
        : api('DELETE /api/admin/projects/:projectId/favorites', { params: { projectId: id } }),
    onMutate: (wanted) => show(id, wanted),
    onError: (error, wanted) => {
      show(id, !wanted);
      tellProblem('update favorites', error);
    },
    onSettled: () =>
      invalidate('GET /api/admin/projects', 'GET /api/admin/projects/:projectId/overview'),
  });
  return (
    <Tooltip label={favorite ? 'Remove from favorites' : 'Add to favorites'}>
      <ActionIcon
        variant="subtle"
        color={favorite ? 'yellow' : 'gray'}
        aria-label={`Favorite ${name}`}
        aria-pressed={favorite}
        onClick={() => change.mutate(!favorite)}
      >
        {favorite ? <IconStarFilled size={16} aria-hidden /> : <IconStar size={16} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}
