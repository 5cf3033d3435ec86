import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { featureParams, featurePath, scope } from '../address-schema.ts';

const tag = 'Features';

export const favoriteContract = {
  addFavorite: endpoint({
    method: 'POST',
    path: `${featurePath}/favorites`,
    id: 'addFavoriteFeature',
    tag,
    summary: 'Mark a feature as a favourite',
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
    summary: 'Remove a feature from your favourites',
    permission: 'none',
    limitedPerAccount: true,
    scope,
    params: featureParams,
  }),
};
