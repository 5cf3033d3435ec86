import { ActionIcon } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { api, type Response } from '../api.ts';
import { queryClient } from '../queries.ts';
import { tellProblem } from '../ui/notices.tsx';

type Found = Response<'GET /api/admin/search/features'>;

interface Props {
  readonly project: string;
  readonly feature: string;
  readonly favorite: boolean;
}

/** Shows the star in every open list as if it were changed already. */
const show = (feature: string, favorite: boolean) =>
  queryClient.setQueriesData<Found>(
    { queryKey: ['GET /api/admin/search/features'] },
    (found) =>
      found?.features && {
        ...found,
        features: found.features.map((each) =>
          each.name === feature ? { ...each, favorite } : each,
        ),
      },
  );

export function FavoriteStar({ project, feature, favorite }: Props) {
  const changing = useMutation({
    mutationFn: (wanted: boolean) =>
      api(
        wanted
          ? 'POST /api/admin/projects/:projectId/features/:featureName/favorites'
          : 'DELETE /api/admin/projects/:projectId/features/:featureName/favorites',
        { params: { projectId: project, featureName: feature } },
      ),
    onMutate: (wanted) => void show(feature, wanted),
    onError: (error, wanted) => {
      show(feature, !wanted);
      tellProblem('The favourite was not changed', error);
    },
  });
  return (
    <ActionIcon
      variant="subtle"
      color={favorite ? 'yellow.7' : 'gray'}
      size="sm"
      aria-label={`${feature} is a favourite`}
      aria-pressed={favorite}
      onClick={() => changing.mutate(!favorite)}
    >
      {favorite ? <IconStarFilled size={15} aria-hidden /> : <IconStar size={15} aria-hidden />}
    </ActionIcon>
  );
}
