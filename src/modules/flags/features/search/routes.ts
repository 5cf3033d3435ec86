import { streamJson, withList } from '../../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { checks } from './checks.ts';
import { searchContract } from './contract.ts';
import { searchFeatures } from './service.ts';

export const searchUseCase = defineUseCase({
  contract: searchContract,
  checks,
  routes: (services) => {
    const { searchDb, settings, clock } = services;

    return {
      searchFeatures: async ({ parsed }, { actor, reply }) => {
        const viewer = { actor, baseUrl: settings.baseUrl };
        const { features, total } = await searchFeatures(searchDb, viewer, parsed, clock());
        return streamJson(reply, withList({ total }, 'features', features));
      },
    };
  },
});
