import { defineUseCase } from '../../../platform/module.ts';
import { testSendContract } from './contract.ts';
import { sendTest } from './service.ts';

export const testSendUseCase = defineUseCase({
  contract: testSendContract,
  routes: ({ db, settings, outgoing, clock }) => ({
    testIntegration: ({ params }, { actor }) =>
      sendTest(db, actor, params.id, { settings, outgoing, clock }),
  }),
});
