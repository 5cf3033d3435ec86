import { notFound } from '../../../../platform/errors.ts';
import { sendTagged } from '../../../../platform/http/entity-tag.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { avatarId, drawAvatar } from './avatar.ts';
import { avatarContract } from './contract.ts';

export const avatarUseCase = defineUseCase({
  contract: avatarContract,
  routes: () => ({
    getAvatar: async ({ params }, { request, reply }) => {
      const id = avatarId(params.id);
      if (id === undefined) throw notFound('avatar', params.id);
      reply.header('cache-control', 'public, max-age=86400');
      // A browser opens the drawing as a page. It may load and run nothing.
      reply.header('content-security-policy', "default-src 'none'; sandbox");
      return sendTagged(request, reply, drawAvatar(id), 'image/svg+xml');
    },
  }),
});
