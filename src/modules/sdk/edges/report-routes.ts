import type { TokenScope } from '../../../platform/actor.ts';
import { defineUseCase } from '../../../platform/module.ts';
import type { SdkServices } from '../services.ts';
import { reportContract } from './contract.ts';

/** Served by edges, too: an edge can be the upstream of others. */
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
