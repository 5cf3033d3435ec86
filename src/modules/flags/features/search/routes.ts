import { streamJson, withList } from '../../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { checks } from './checks.ts';
import { searchContract } from './contract.ts';
import { searchFeatures } from './service.ts';

export const searchUseCase = defineUseCase({
  contract: searchContract,
  checks,
  routes: (services) => {
    const { searchDb, readAt, settings } = services;

    return {
      searchFeatures: async ({ query, parsed }, { actor, reply }) => {
        const viewer = { actor, baseUrl: settings.baseUrl };
        const { db, now } = await readAt(searchDb, actor, query.asOf);
        const { features, total } = await searchFeatures(db, viewer, parsed, now);
        return streamJson(reply, withList({ total }, 'features', features));
      },
    };
  },
});
