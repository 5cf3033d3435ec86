import { defineUseCase } from '../../../platform/module.ts';
import { createOutgoing } from '../../../platform/outgoing/send.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import { callbackPage, oidcPages } from './pages.ts';
import { changeOidcSettings, getOidcSettings } from './service.ts';
import { testProvider } from './test-provider.ts';

export const oidcUseCase = defineUseCase({
  contract,
  checks,
  routes: (services, app) => {
    const { db, readAt, transact, settings } = services;
    // Only administrators change these settings, and many providers are in a private network.
    const outgoing = createOutgoing({ privateTargets: true, loopback: true });
    app.addHook('onClose', async () => outgoing.close());

    oidcPages(app, services, outgoing);

    return {
      getOidcSettings: async ({ query }, { actor }) => {
        const at = await readAt(db, actor, query.asOf);
        return getOidcSettings(at.db);
      },

      setOidcSettings: ({ body }, { actor }) =>
        transact(actor, (tx) => changeOidcSettings(tx, settings.encryptionKeys, body)),

      testOidcSettings: async ({ body }) => {
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
      },
    };
  },
});
