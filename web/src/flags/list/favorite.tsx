import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { api, type Response } from '../../api.ts';
import { queryClient } from '../../queries.ts';
import { tellProblem } from '../../ui/notices.tsx';
import classes from './feature-list.module.css';

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

export async function toggleFavorite({ project, feature, favorite }: Props): Promise<void> {
  show(feature, !favorite);
  try {
    await api(
      favorite
        ? 'DELETE /api/admin/projects/:projectId/features/:featureName/favorites'
        : 'POST /api/admin/projects/:projectId/features/:featureName/favorites',
      { params: { projectId: project, featureName: feature } },
    );
  } catch (error) {
    show(feature, favorite);
    tellProblem('update favorites', error as Error);
  }
}

export function FavoriteStar(props: Props) {
  const { feature, favorite } = props;
  return (
    <button
      type="button"
      className={classes.star}
      aria-label={`Favorite ${feature}`}
      aria-pressed={favorite}
      onClick={() => void toggleFavorite(props)}
    >
      {favorite ? <IconStarFilled size={15} aria-hidden /> : <IconStar size={15} aria-hidden />}
    </button>
  );
}
