import { defineUseCase } from '../../../platform/module.ts';
import { ofEventContract } from './contract.ts';
import { listIntegrationsOfEvent } from './service.ts';

export const ofEventUseCase = defineUseCase({
  contract: ofEventContract,
  routes: ({ readSnapshot, clock }) => ({
    listDeliveriesOfEvent: ({ params }, { actor }) =>
      readSnapshot((snapshot) => listIntegrationsOfEvent(snapshot, actor, params.id, clock())),
  }),
});
