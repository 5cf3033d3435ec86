import { defineUseCase } from '../../../platform/module.ts';
import { listContract } from './contract.ts';
import { listEdges } from './stored-edges.ts';

export const listEdgesUseCase = defineUseCase({
  contract: listContract,
  routes: ({ db, clock, edges }) => ({
    listEdges: async () => {
      // A reader sees what this instance received until now, and what other instances received a second ago.
      await edges.flush().catch(() => undefined);
      return { edges: await listEdges(db, clock()) };
    },
  }),
});
