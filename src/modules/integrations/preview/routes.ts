import { defineUseCase } from '../../../platform/module.ts';
import { checks } from './checks.ts';
import { previewContract } from './contract.ts';
import { preview } from './service.ts';

export const previewUseCase = defineUseCase({
  contract: previewContract,
  checks,
  routes: ({ searchDb, settings }) => ({
    previewIntegration: ({ body }, { actor }) => preview(searchDb, actor, body, settings.baseUrl),
  }),
});
