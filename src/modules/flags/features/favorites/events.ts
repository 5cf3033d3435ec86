import { defineEvent } from '../../../events/index.ts';

export const featureFavorited = defineEvent<{ feature: string }>({
  type: 'feature-favorited',
  summary: ({ user, feature }) => `${user} starred ${feature}`,
});

/** The system imports the favorite of a user from another installation. */
export const favoriteImported = defineEvent<{ feature: string; userId: number }>({
  type: 'feature-favorited',
  label: 'Favourite imported',
  summary: ({ user, feature }) => `${user} imported a favorite: ${feature}`,
});

/** A user has removed it in the other installation. */
export const favoriteWithdrawn = defineEvent<{ feature: string; userId: number }>({
  type: 'feature-unfavorited',
  label: 'End of a favourite imported',
  summary: ({ user, feature }) => `${user} removed an imported favorite: ${feature}`,
});

export const featureUnfavorited = defineEvent<{ feature: string }>({
  type: 'feature-unfavorited',
  summary: ({ user, feature }) => `${user} unstarred ${feature}`,
});
