import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { endpoints } from './checks.ts';
import {
  changeRetention,
  getRetention,
  isInMaintenance,
  isPasswordSignInOff,
  setFrontendOrigins,
  setMaintenance,
  switchPasswordSignIn,
} from './service.ts';
import { uiConfigContract } from './ui-config/contract.ts';
import { getUiConfig } from './ui-config/service.ts';

export function settingRoutes(
  app: FastifyInstance,
  { db, transact, clock, settings: operator }: Services,
): void {
  route(app, endpoints.getMaintenance, async () => ({ enabled: await isInMaintenance(db) }));

  route(app, endpoints.toggleMaintenance, ({ body }, { actor }) =>
    transact(actor, (tx) => setMaintenance(tx, body)),
  );

  route(app, uiConfigContract.getUiConfig, () => getUiConfig(db, operator, clock()));

  route(app, endpoints.setCors, ({ body }, { actor }) =>
    transact(actor, (tx) => setFrontendOrigins(tx, body.frontendApiOrigins)),
  );

  route(app, endpoints.setUiConfig, ({ body }, { actor }) =>
    transact(actor, (tx) => setFrontendOrigins(tx, body.frontendSettings.frontendApiOrigins)),
  );

  route(app, endpoints.getRetention, () => getRetention(db, operator));

  route(app, endpoints.setRetention, ({ body }, { actor }) =>
    transact(actor, (tx) => changeRetention(tx, operator, body.eventDays)),
  );

  route(app, endpoints.getSimpleSignIn, async () => ({ disabled: await isPasswordSignInOff(db) }));

  route(app, endpoints.setSimpleSignIn, async ({ body }, { actor }) => {
    const { disabled } = body;
    if (disabled === undefined) return { disabled: await isPasswordSignInOff(db) };
    await transact(actor, (tx) => switchPasswordSignIn(tx, disabled));
    return { disabled };
  });
}
