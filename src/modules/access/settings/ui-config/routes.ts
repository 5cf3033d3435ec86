import { defineUseCase } from '../../../../platform/module.ts';
import { uiConfigContract } from './contract.ts';
import { getUiConfig } from './service.ts';

export const uiConfigUseCase = defineUseCase({
  contract: uiConfigContract,
  routes: ({ db, clock, settings }) => ({
    getUiConfig: () => getUiConfig(db, settings, clock()),
  }),
});
