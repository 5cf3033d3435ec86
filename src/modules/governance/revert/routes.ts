import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { sees } from '../../../platform/permission.ts';
import { readLog } from '../../events/index.ts';
import { checks } from './checks.ts';
import { revertContract } from './contract.ts';
import { previewOf } from './decisions.ts';
import { listRevertingIds } from './queries.ts';
import { type RevertOptions, revertSelected, type Selection } from './service.ts';

/** Everyone who sees a project may propose changes in it. None of them is committed. */
const proposer = (actor: Actor, refusal: Error): Actor => ({
  ...actor,
  may: (permission, scope, environment) =>
    (scope !== undefined && sees(actor, scope)) || actor.may(permission, scope, environment),
  onlyProposes: { refusal, as: actor },
});

export const revertUseCase = defineUseCase({
  contract: revertContract,
  checks,
  routes: ({ db, transact, rehearse, definitions, clock }) => {
    const revert = async (
      actor: Actor,
      selection: Selection,
      options: Omit<RevertOptions, 'isDryRun'>,
      query: { readonly dryRun: 'true' | 'false' },
    ) => {
      if (query.dryRun === 'true') {
        const before = await definitions.current();
        const { outcome, preview } = await rehearse(actor, async (tx) => {
          const outcome = await revertSelected(tx, selection, { ...options, isDryRun: true });
          return { outcome, preview: await previewOf(tx, before) };
        });
        return { dryRun: true, ...outcome, decisions: await preview(clock), eventIds: [] };
      }
      const { head } = await readLog(db);
      const run = (by: Actor) => transact(by, (tx) => revertSelected(tx, selection, options));
      const asksToPropose = (query as { readonly propose?: string }).propose === 'true';
      const outcome = await run(actor).catch((refusal) => {
        const lacksPermission = refusal instanceof AppError && refusal.name === 'NoAccessError';
        if (!asksToPropose || !lacksPermission || refusal.more) throw refusal;
        return run(proposer(actor, refusal));
      });
      const eventIds = await listRevertingIds(db, actor.requestId, head);
      return { dryRun: false, ...outcome, decisions: null, eventIds };
    };

    return {
      revertEvent: ({ params, query, body }, { actor }) => {
        const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : 0;
        return revert(actor, { eventIds: [id] }, body, query);
      },
      revertEvents: ({ query, body }, { actor }) => {
        const { eventIds, requestId, from = '', to = '', project, environment, ...options } = body;
        const selection = eventIds
          ? { eventIds }
          : requestId === undefined
            ? { from, to, project, environment }
            : { requestId };
        return revert(actor, selection, options, query);
      },
    };
  },
});
