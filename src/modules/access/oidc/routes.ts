import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { oidcPages } from './pages.ts';
import { changeOidcSettings, getOidcSettings } from './service.ts';

export function oidcRoutes(app: FastifyInstance, services: Services): void {
  const { db, transact, settings } = services;

  route(app, endpoints.getOidcSettings, () => getOidcSettings(db));

  route(app, endpoints.setOidcSettings, ({ body }, { actor }) =>
    transact(actor, (tx) => changeOidcSettings(tx, settings.encryptionKeys, body)),
  );

  oidcPages(app, services);
}
