import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { ownProfileContract } from './contract.ts';
import { describeMe, describeProfile, listOwnRoles } from './service.ts';

const version = 1;

export function ownProfileRoutes(app: FastifyInstance, { db, settings }: Services): void {
  const contract = ownProfileContract;

  route(app, contract.getMe, (_input, { actor }) => describeMe(db, actor, settings.baseUrl));

  route(app, contract.getProfile, (_input, { actor }) => describeProfile(db, actor));

  route(app, contract.getUserRoles, async ({ query }, { actor }) => ({
    version,
    roles: await listOwnRoles(db, actor, query.projectId),
  }));
}
