import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { orPropose } from '../../../platform/permission.ts';
import { readLog } from '../../events/index.ts';
import { checks } from './checks.ts';
import { revertContract } from './contract.ts';
import { previewOf } from './decisions.ts';
import { listRevertingIds } from './queries.ts';
import { type RevertOptions, revertSelected, type Selection } from './service.ts';

/** A plan shows nothing but what the actor sees anyway, and changes nothing. */
const planner = (actor: Actor): Actor => ({ ...actor, may: () => true });

const lacksPermission = (refusal: unknown): refusal is AppError =>
  refusal instanceof AppError && refusal.name === 'NoAccessError';

export const revertUseCase = defineUseCase({
  contract: revertContract,
  checks,
  routes: ({ db, transact, rehearse, definitions, clock, runHook, settings }) => {
    const services = { runHook, settings };
    const revert = async (
      actor: Actor,
      selection: Selection,
      options: Omit<RevertOptions, 'isDryRun'>,
      query: { readonly dryRun: 'true' | 'false' },
    ) => {
      if (query.dryRun === 'true') {
        const before = await definitions.current();
        const tryAs = (by: Actor) =>
          rehearse(by, async (tx) => {
            const outcome = await revertSelected(tx, selection, {
              ...options,
              ...{ isDryRun: true, services, reader: actor },
            });
            return { outcome, preview: await previewOf(tx, before), missing: null };
          });
        const { outcome, preview, missing } = await tryAs(actor).catch(async (refusal) => {
          if (!lacksPermission(refusal)) throw refusal;
          return { ...(await tryAs(planner(actor))), missing: refusal.message };
        });
        const decisions = await preview(clock);
        return { dryRun: true, ...outcome, decisions, eventIds: [], missingPermission: missing };
      }
      const { head } = await readLog(db);
      const outcome = await orPropose(actor, query, (by) =>
        transact(by, (tx) =>
          revertSelected(tx, selection, { ...options, services, reader: actor }),
        ),
      );
      const eventIds = await listRevertingIds(db, actor, head);
      return { dryRun: false, ...outcome, decisions: null, eventIds, missingPermission: null };
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
