import { defineUseCase } from '../../../../platform/module.ts';
import { ownProfileContract } from './contract.ts';
import { describeMe, describeProfile, listOwnRoles } from './service.ts';

const version = 1;

export const ownProfileUseCase = defineUseCase({
  contract: ownProfileContract,
  routes: ({ db, settings }) => ({
    getMe: (_input, { actor }) => describeMe(db, actor, settings.baseUrl),
    getProfile: (_input, { actor }) => describeProfile(db, actor),

    getUserRoles: async ({ query }, { actor }) => ({
      version,
      roles: await listOwnRoles(db, actor, query.projectId),
    }),
  }),
});
