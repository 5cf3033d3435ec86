import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { addressOf } from '../address-schema.ts';
import { linkContract as contract } from './contract.ts';
import { addLink, changeLink, removeLink } from './service.ts';

export function linkRoutes(app: FastifyInstance, { transact }: Services): void {
  route(app, contract.addLink, ({ params, body }, { actor }) =>
    transact(actor, (tx) => addLink(tx, addressOf(params), body)),
  );

  route(app, contract.changeLink, ({ params: { linkId, ...params }, body }, { actor }) =>
    transact(actor, (tx) => changeLink(tx, addressOf(params), linkId, body)),
  );

  route(app, contract.removeLink, ({ params: { linkId, ...params } }, { actor }) =>
    transact(actor, (tx) => removeLink(tx, addressOf(params), linkId)),
  );
}
