import { defineUseCase } from '../../../../platform/module.ts';
import { requestAddressOf } from '../access.ts';
import { presentOne } from '../present.ts';
import { stateContract } from './contract.ts';
import { changeState } from './service.ts';

export const stateUseCase = defineUseCase({
  contract: stateContract,
  routes: ({ transact, settings: { baseUrl } }) => ({
    updateChangeRequestState: ({ params, body }, { actor }) =>
      transact(actor, async (tx) => {
        const { id } = await changeState(tx, requestAddressOf(params), body);
        return presentOne(tx.db, baseUrl, id);
      }),
  }),
});
