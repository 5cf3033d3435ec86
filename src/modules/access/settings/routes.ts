import { defineUseCase } from '../../../platform/module.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
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

export const settingUseCase = defineUseCase({
  contract: { ...contract, ...uiConfigContract },
  checks,
  routes: ({ db, transact, clock, settings: operator }) => ({
    getMaintenance: async () => ({ enabled: await isInMaintenance(db) }),
    toggleMaintenance: ({ body }, { actor }) => transact(actor, (tx) => setMaintenance(tx, body)),
    getUiConfig: () => getUiConfig(db, operator, clock()),
    setCors: ({ body }, { actor }) =>
      transact(actor, (tx) => setFrontendOrigins(tx, body.frontendApiOrigins)),
    setUiConfig: ({ body }, { actor }) =>
      transact(actor, (tx) => setFrontendOrigins(tx, body.frontendSettings.frontendApiOrigins)),
    getRetention: () => getRetention(db, operator),
    setRetention: ({ body }, { actor }) =>
      transact(actor, (tx) => changeRetention(tx, operator, body.eventDays)),
    getSimpleSignIn: async () => ({ disabled: await isPasswordSignInOff(db) }),

    setSimpleSignIn: async ({ body }, { actor }) => {
      const { disabled } = body;
      if (disabled === undefined) return { disabled: await isPasswordSignInOff(db) };
      await transact(actor, (tx) => switchPasswordSignIn(tx, disabled));
      return { disabled };
    },
  }),
});
