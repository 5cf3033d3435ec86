import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { createOutgoing } from '../../../platform/outgoing/send.ts';
import { endpoints } from './checks.ts';
import { callbackPage, oidcPages } from './pages.ts';
import { changeOidcSettings, getOidcSettings } from './service.ts';
import { testProvider } from './test-provider.ts';

export function oidcRoutes(app: FastifyInstance, services: Services): void {
  const { db, transact, settings } = services;
  // Only administrators change these settings, and many providers are in a private network.
  const outgoing = createOutgoing({ privateTargets: true, loopback: true });
  app.addHook('onClose', async () => outgoing.close());

  route(app, endpoints.getOidcSettings, () => getOidcSettings(db));

  route(app, endpoints.setOidcSettings, ({ body }, { actor }) =>
    transact(actor, (tx) => changeOidcSettings(tx, settings.encryptionKeys, body)),
  );

  route(app, endpoints.testOidcSettings, async ({ body }) => {
    const stored = await getOidcSettings(db);
    return testProvider(
      {
        ...stored,
        hasClientId: stored.clientId !== undefined,
        hasSecret: stored.secret !== undefined,
        ...body,
      },
      `${settings.baseUrl}${callbackPage}`,
      outgoing,
    );
  });

  oidcPages(app, services, outgoing);
}
