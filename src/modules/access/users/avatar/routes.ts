import { createHash } from 'node:crypto';
import { notFound } from '../../../../platform/errors.ts';
import { isNamed } from '../../../../platform/http/entity-tag.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { avatarId, drawAvatar } from './avatar.ts';
import { avatarContract } from './contract.ts';

export const avatarUseCase = defineUseCase({
  contract: avatarContract,
  routes: () => ({
    getAvatar: async ({ params }, { request, reply }) => {
      const id = avatarId(params.id);
      if (id === undefined) throw notFound('avatar', params.id);
      const drawing = drawAvatar(id);
      const tag = `"${createHash('sha256').update(drawing).digest('base64url').slice(0, 22)}"`;
      reply.header('cache-control', 'public, max-age=86400').header('etag', tag);
      if (isNamed(request.headers['if-none-match'], tag)) return reply.status(304).send();
      return (
        reply
          .type('image/svg+xml')
          // A browser opens the drawing as a page. It may load and run nothing.
          .header('content-security-policy', "default-src 'none'; sandbox")
          .send(drawing)
      );
    },
  }),
});
