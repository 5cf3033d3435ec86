import { defineUseCase } from '../../../../platform/module.ts';
import { previewDecisions, visibleState } from '../../../sdk/preview/index.ts';
import { requestAddressOf } from '../access.ts';
import { checks } from './checks.ts';
import { previewContract } from './contract.ts';
import { readPreviewed, triedContexts } from './service.ts';

export const previewUseCase = defineUseCase({
  contract: previewContract,
  checks,
  routes: ({ rehearse, definitions, clock: now }) => ({
    previewChangeRequest: async ({ params, body }, { actor }) => {
      const before = await definitions.current();
      const { request, after } = await rehearse(actor, (tx) =>
        readPreviewed(tx, requestAddressOf(params), before),
      );
      const { environment } = request;
      const { tried, isCut } = triedContexts(body.contexts);
      const states = {
        before: visibleState(before, environment, actor),
        after: visibleState(after, environment, actor),
      };
      const { isTruncated, ...preview } = await previewDecisions(states, {
        environment,
        now,
        tried,
      });
      return { ...preview, truncated: isTruncated || isCut };
    },
  }),
});
