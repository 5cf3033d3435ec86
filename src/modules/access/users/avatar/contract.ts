import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';

export const avatarContract = {
  getAvatar: endpoint({
    method: 'GET',
    path: '/avatars/:id.svg',
    id: 'getAvatar',
    tag: 'Users',
    summary: 'A drawing that stands for an account or a token',
    description: 'Made of the id alone: it tells nobody who exists, nor what they are called.',
    permission: 'public',
    params: Type.Object({ id: Type.String() }),
    alsoProduces: { 'image/svg+xml': 'The drawing' },
  }),
};
