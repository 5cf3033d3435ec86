import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';

export const avatarContract = {
  getAvatar: endpoint({
    method: 'GET',
    path: '/avatars/:id.svg',
    id: 'getAvatar',
    tag: 'Users',
    summary: 'Get the avatar of an account or token',
    description: 'Generated from the ID alone, so it does not reveal whether the account exists.',
    permission: 'public',
    params: Type.Object({ id: Type.String() }),
    alsoProduces: { 'image/svg+xml': 'The image' },
  }),
};
