import { sendLongJson } from '../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
import {
  addLegalValue,
  changeContextField,
  createContextField,
  getContextFieldFor,
  listContextFieldsFor,
  listContextFieldUsesFor,
  listContextUsageFor,
  removeContextField,
  removeLegalValue,
  validateConstraint,
  validateName,
} from './service.ts';

export const contextUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ db, readAt, transact }) => ({
    listContextFields: async ({ query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return listContextFieldsFor(at.db, actor);
    },

    getContextField: async ({ params, query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return getContextFieldFor(at.db, actor, params.contextField);
    },

    listContextUsage: async ({ params }, { actor, reply }) =>
      sendLongJson(reply, {
        strategies: await listContextUsageFor(db, actor, params.contextField),
      }),
    listContextFieldUses: ({ params }, { actor }) =>
      listContextFieldUsesFor(db, actor, params.contextField),
    createContextField: ({ body }, { actor }) =>
      transact(actor, (tx) => createContextField(tx, body)),
    validateContextFieldName: ({ body }) => validateName(db, body.name),
    updateContextField: ({ params, body }, { actor }) =>
      transact(actor, (tx) => changeContextField(tx, params.contextField, body)),
    addLegalValue: ({ params, body }, { actor }) =>
      transact(actor, (tx) => addLegalValue(tx, params.contextField, body)),
    removeLegalValue: ({ params }, { actor }) =>
      transact(actor, (tx) => removeLegalValue(tx, params.contextField, params.legalValue)),
    deleteContextField: ({ params }, { actor }) =>
      transact(actor, (tx) => removeContextField(tx, params.contextField)),
    validateConstraint: ({ body }) => validateConstraint(db, body),
  }),
});
