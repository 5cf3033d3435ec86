import { defineUseCase } from '../../../platform/module.ts';
import { attentionContract } from './contract.ts';
import { getAttention } from './service.ts';

export const attentionUseCase = defineUseCase({
  contract: attentionContract,
  routes: ({ readSnapshot, clock }) => ({
    getAttention: (_input, { actor }) => readSnapshot((at) => getAttention(at, actor, clock())),
  }),
});
