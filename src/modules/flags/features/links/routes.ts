import { defineUseCase } from '../../../../platform/module.ts';
import { addressOf } from '../address-schema.ts';
import { linkContract as contract } from './contract.ts';
import { addLink, changeLink, removeLink } from './service.ts';

export const linkUseCase = defineUseCase({
  contract,
  routes: ({ transact }) => ({
    addLink: ({ params, body }, { actor }) =>
      transact(actor, (tx) => addLink(tx, addressOf(params), body)),
    changeLink: ({ params: { linkId, ...params }, body }, { actor }) =>
      transact(actor, (tx) => changeLink(tx, addressOf(params), linkId, body)),
    removeLink: ({ params: { linkId, ...params } }, { actor }) =>
      transact(actor, (tx) => removeLink(tx, addressOf(params), linkId)),
  }),
});
