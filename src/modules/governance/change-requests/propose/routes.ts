import type { Tx } from '../../../../platform/db/database.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { requestAddressOf } from '../access.ts';
import { presentOne } from '../present.ts';
import type { StoredRequest } from '../queries.ts';
import { checks } from './checks.ts';
import { proposeContract } from './contract.ts';
import { discardChange, discardRequest, editChange, propose, resolveChange } from './service.ts';

export const proposeUseCase = defineUseCase({
  contract: proposeContract,
  checks,
  routes: ({ transact, settings: { baseUrl } }) => {
    const present = (tx: Tx, { id }: StoredRequest) => presentOne(tx.db, baseUrl, id);

    return {
      createChangeRequest: ({ params, body }, { actor }) => {
        const { projectId: project, environment } = params;
        const changes = Array.isArray(body)
          ? body.map((change, index) => ({ change, at: `/body/${index}` }))
          : [{ change: body, at: '/body' }];
        return transact(actor, async (tx) =>
          present(tx, await propose(tx, { project, environment }, changes)),
        );
      },

      editChange: ({ params, body }, { actor }) =>
        transact(actor, async (tx) =>
          present(tx, await editChange(tx, requestAddressOf(params), params.changeId, body)),
        ),

      resolveChange: ({ params, body }, { actor }) =>
        transact(actor, async (tx) => {
          const address = requestAddressOf(params);
          return present(tx, await resolveChange(tx, address, params.changeId, body.resolution));
        }),

      discardChange: ({ params }, { actor }) =>
        transact(actor, (tx) => discardChange(tx, requestAddressOf(params), params.changeId)),

      discardChangeRequest: ({ params }, { actor }) =>
        transact(actor, (tx) => discardRequest(tx, requestAddressOf(params))),
    };
  },
});
