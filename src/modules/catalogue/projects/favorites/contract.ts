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
    summary: 'Add a project to your favorites',
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
    summary: 'Remove a project from your favorites',
    permission: 'none',
    limitedPerAccount: true,
    scope,
    params,
  }),
};
