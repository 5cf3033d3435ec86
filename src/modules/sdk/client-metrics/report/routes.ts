import type { TokenScope } from '../../../../platform/actor.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import type { SdkServices } from '../../services.ts';
import { type EvaluationScope, scopeOf } from '../../snapshot/index.ts';
import type { Usage } from './buffered-usage.ts';
import { checks } from './checks.ts';
import { reportContract } from './contract.ts';

export const reportUseCase = defineUseCase({
  contract: reportContract,
  checks,
  routes: ({ definitions, usage }: SdkServices) => {
    /** A token reports for its environment. An admin token reports for the one in the request. */
    const scopeFor = async (
      tokenScope: TokenScope,
      environment: string | null | undefined,
    ): Promise<EvaluationScope> =>
      tokenScope.environment === null
        ? scopeOf(tokenScope, await definitions.current(), environment ?? undefined)
        : { environment: tokenScope.environment, projects: tokenScope.scopes };

    /** Reports with an id are counted once. */
    const addTo = async (
      batchId: string | undefined,
      add: (reports: Pick<Usage, 'addMetrics' | 'addInBulk'>) => void,
      isPublic = false,
    ): Promise<void> =>
      batchId === undefined ? add(usage) : usage.addOnce(batchId, add, { isPublic });

    return {
      register: async ({ body }, { actor }) => {
        const scope = await scopeFor(actor.tokenScope as TokenScope, body.environment);
        usage.register(scope, body, { ip: actor.ip });
      },

      addMetrics: async ({ body }, { actor }) => {
        const scope = await scopeFor(actor.tokenScope as TokenScope, body.environment);
        await addTo(body.batchId, (reports) => reports.addMetrics(scope, body));
      },

      addInBulk: async ({ body }, { actor }) => {
        const tokenScope = actor.tokenScope as TokenScope;
        const scoped = async <Item extends { readonly environment?: string | null }>(
          items: readonly Item[],
        ): Promise<(readonly [EvaluationScope, Item])[]> => {
          const own: (readonly [EvaluationScope, Item])[] = [];
          for (const item of items) {
            const scope = await scopeFor(tokenScope, item.environment);
            // Counts of another environment do not belong to this token.
            if ((item.environment ?? scope.environment) === scope.environment)
              own.push([scope, item]);
          }
          return own;
        };
        const reports = {
          applications: await scoped(body.applications),
          metrics: await scoped(body.metrics),
        };
        const { isPublic = false } = body;
        const from = { ip: isPublic ? null : actor.ip, isPublic };
        await addTo(body.batchId, (into) => into.addInBulk(reports, from), isPublic);
      },
    };
  },
});
