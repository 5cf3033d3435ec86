import type { FastifyInstance } from 'fastify';
import { pathId } from '../../../platform/http/path-id.ts';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { changeIntegration, changeSigningSecret } from './change.ts';
import { configurationEndpoints as contract } from './checks.ts';
import {
  createIntegration,
  getIntegrationFor,
  listIntegrationsFor,
  removeIntegration,
} from './service.ts';

const idOf = (params: { readonly id: string }): number => pathId('integration', params.id);

export function configurationRoutes(
  app: FastifyInstance,
  { db, transact, settings, clock }: Services,
): void {
  route(app, contract.listIntegrations, (_input, { actor }) =>
    listIntegrationsFor(db, actor, clock()),
  );

  route(app, contract.getIntegration, async ({ params }, { actor }) =>
    getIntegrationFor(db, actor, idOf(params), clock()),
  );

  route(app, contract.createIntegration, ({ body }, { actor }) =>
    transact(actor, (tx) => createIntegration(tx, settings, body)),
  );

  route(app, contract.updateIntegration, async ({ params, body }, { actor }) => {
    const id = idOf(params);
    return transact(actor, (tx) => changeIntegration(tx, settings, id, body));
  });

  route(app, contract.deleteIntegration, async ({ params }, { actor }) => {
    const id = idOf(params);
    return transact(actor, (tx) => removeIntegration(tx, settings, id));
  });

  route(app, contract.createSigningSecret, async ({ params }, { actor }) => {
    const id = idOf(params);
    return transact(actor, (tx) => changeSigningSecret(tx, settings, id));
  });
}
