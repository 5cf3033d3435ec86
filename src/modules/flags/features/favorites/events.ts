import { defineEvent } from '../../../events/index.ts';

export const featureFavorited = defineEvent<{ feature: string }>({
  type: 'feature-favorited',
  summary: ({ user, feature, project }) =>
    `${user} marked the feature ${feature} in the project ${project} as a favourite`,
});

/** The system brings the favourite of a user from another installation. */
export const favoriteBrought = defineEvent<{ feature: string; userId: number }>({
  type: 'feature-favorited',
  label: 'Favourite imported',
  summary: ({ user, feature, project }) =>
    `${user} imported that the feature ${feature} in the project ${project} is a favourite`,
});

/** A user of another installation has ended it there. */
export const favoriteWithdrawn = defineEvent<{ feature: string; userId: number }>({
  type: 'feature-unfavorited',
  label: 'End of a favourite imported',
  summary: ({ user, feature, project }) =>
    `${user} imported that the feature ${feature} in the project ${project} is no longer a favourite`,
});

export const featureUnfavorited = defineEvent<{ feature: string }>({
  type: 'feature-unfavorited',
  summary: ({ user, feature, project }) =>
    `${user} removed the feature ${feature} in the project ${project} from their favourites`,
});
