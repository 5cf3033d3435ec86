import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { featureParams, featurePath, scope } from '../address-schema.ts';

const tag = 'Features';

export const favoriteContract = {
  addFavorite: endpoint({
    method: 'POST',
    path: `${featurePath}/favorites`,
    id: 'addFavoriteFeature',
    tag,
    summary: 'Add a feature to your favorites',
    permission: 'none',
    limitedPerAccount: true,
    scope,
    params: featureParams,
  }),

  removeFavorite: endpoint({
    method: 'DELETE',
    path: `${featurePath}/favorites`,
    id: 'removeFavoriteFeature',
    tag,
    summary: 'Remove a feature from your favorites',
    permission: 'none',
    limitedPerAccount: true,
    scope,
    params: featureParams,
  }),
};
