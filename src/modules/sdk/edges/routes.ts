import type { TokenScope } from '../../../platform/actor.ts';
import { defineUseCase } from '../../../platform/module.ts';
import type { SdkServices } from '../services.ts';
import { listContract, reportContract } from './contract.ts';
import { listEdges } from './stored-edges.ts';

export const reportEdgeUseCase = defineUseCase({
  contract: reportContract,
  routes: ({ edges }: SdkServices) => ({
    reportEdge: ({ body }, { actor }) => {
      // The gate admits only tokens with a scope.
      const { environment } = actor.tokenScope as TokenScope;
      edges.report(body, { environment });
    },
  }),
});

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
