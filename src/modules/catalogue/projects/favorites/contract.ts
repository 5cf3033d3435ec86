import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';

const tag = 'Projects';
const path = '/api/admin/projects/:projectId/favorites';
const params = Type.Object({ projectId: Type.String() });
const scope = 'projectId';

export const favoriteContract = {
  addFavorite: endpoint({
    method: 'POST',
    path,
    id: 'addFavoriteProject',
    tag,
    summary: 'Mark a project as a favourite',
    permission: 'none',
    limitedPerAccount: true,
    scope,
    params,
  }),

  removeFavorite: endpoint({
    method: 'DELETE',
    path,
    id: 'removeFavoriteProject',
    tag,
    summary: 'Remove a project from your favourites',
    permission: 'none',
    limitedPerAccount: true,
    scope,
    params,
  }),
};
