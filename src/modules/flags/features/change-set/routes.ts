import type { Actor } from '../../../../platform/actor.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { findLastEventId } from '../../../events/index.ts';
import { addressOf } from '../address-schema.ts';
import { presentFeature } from '../present.ts';
import { getFeature } from '../read/service.ts';
import { checks } from './checks.ts';
import { changeSetContract } from './contract.ts';
import { saveChanges } from './service.ts';

export const changeSetUseCase = defineUseCase({
  contract: changeSetContract,
  checks,
  routes: ({ db, transact, rehearse, clock, settings: { baseUrl } }) => {
    const read = async (
      from: Db,
      actor: Actor,
      { project, feature }: ReturnType<typeof addressOf>,
    ) => {
      const viewer = { actor, baseUrl, now: clock() };
      return presentFeature(await getFeature(from, viewer, project, feature, 'any'));
    };

    return {
      saveFeatureChanges: async ({ params, query, body, parsed }, { actor }) => {
        const address = addressOf(params);
        const set = {
          changes: parsed.changes,
          comment: body.comment,
          lastEventId: body.expected?.lastEventId,
        };
        if (query.dryRun === 'true') {
          return rehearse(actor, async (tx) => {
            const lastEventId = await findLastEventId(tx.db, address.feature);
            const events = await saveChanges(tx, address, set);
            return { events, feature: { ...(await read(tx.db, actor, address)), lastEventId } };
          });
        }
        const events = await transact(actor, (tx) => saveChanges(tx, address, set));
        // Events get their ids at the commit. The feature is read after the id, so it is never older.
        const lastEventId = await findLastEventId(db, address.feature);
        return { events, feature: { ...(await read(db, actor, address)), lastEventId } };
      },
    };
  },
});
