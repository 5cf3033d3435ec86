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

export const settingUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ db, readAt, transact, settings: operator }) => ({
    getMaintenance: async ({ query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return { enabled: await isInMaintenance(at.db) };
    },

    toggleMaintenance: ({ body }, { actor }) => transact(actor, (tx) => setMaintenance(tx, body)),
    setCors: ({ body }, { actor }) =>
      transact(actor, (tx) => setFrontendOrigins(tx, body.frontendApiOrigins)),
    setUiConfig: ({ body }, { actor }) =>
      transact(actor, (tx) => setFrontendOrigins(tx, body.frontendSettings.frontendApiOrigins)),

    getRetention: async ({ query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return getRetention(at.db, operator);
    },

    setRetention: ({ body }, { actor }) =>
      transact(actor, (tx) => changeRetention(tx, operator, body.eventDays)),

    getSimpleSignIn: async ({ query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return { disabled: await isPasswordSignInOff(at.db) };
    },

    setSimpleSignIn: async ({ body }, { actor }) => {
      const { disabled } = body;
      if (disabled === undefined) return { disabled: await isPasswordSignInOff(db) };
      await transact(actor, (tx) => switchPasswordSignIn(tx, disabled));
      return { disabled };
    },
  }),
});
