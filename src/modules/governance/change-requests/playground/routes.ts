import { defineUseCase } from '../../../../platform/module.ts';
import { evaluateAll, sendPieces } from '../../../sdk/playground/index.ts';
import { playgroundContract } from './contract.ts';
import { readAfter } from './service.ts';

export const playgroundUseCase = defineUseCase({
  contract: playgroundContract,
  routes: ({ rehearse, definitions, clock }) => ({
    evaluateChangeRequest: async ({ params, body }, { actor, reply }) => {
      const before = await definitions.current();
      const { request, after } = await rehearse(actor, (tx) => readAfter(tx, params.id, before));
      const { environment, project } = request;
      const input = { environments: [environment], projects: [project], context: body.context };
      return sendPieces(reply, await evaluateAll(input, { snapshot: after, actor, clock }));
    },
  }),
});
