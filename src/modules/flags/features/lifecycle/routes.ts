import { defineUseCase } from '../../../../platform/module.ts';
import { addressOf } from '../address-schema.ts';
import { lifecycleContract as contract } from './contract.ts';
import { completeFeature, countStagesFor, getLifecycle, uncompleteFeature } from './service.ts';

export const lifecycleUseCase = defineUseCase({
  contract,
  routes: ({ db, transact }) => ({
    getLifecycle: ({ params }) => getLifecycle(db, addressOf(params)),
    completeFeature: ({ params, body }, { actor }) =>
      transact(actor, (tx) => completeFeature(tx, addressOf(params), body)),
    uncompleteFeature: ({ params }, { actor }) =>
      transact(actor, (tx) => uncompleteFeature(tx, addressOf(params))),
    countStages: (_input, { actor }) => countStagesFor(db, actor),
  }),
});
