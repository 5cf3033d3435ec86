import { defineUseCase } from '../../../../platform/module.ts';
import { featureTypeContract as contract } from './contract.ts';
import { listFeatureTypes, setLifetime } from './service.ts';

/** Clients of the reference expect the version of the answer's format. */
const version = 1;

export const featureTypeUseCase = defineUseCase({
  contract,
  routes: ({ db, readAt, transact }) => ({
    listFeatureTypes: async ({ query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return { version, types: await listFeatureTypes(at.db, actor.sees) };
    },

    setLifetime: ({ params, body }, { actor }) =>
      transact(actor, (tx) => setLifetime(tx, params.id, body.lifetimeDays)),
  }),
});
