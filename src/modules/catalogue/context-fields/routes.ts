import type { FastifyInstance } from 'fastify';
import { sendLongJson } from '../../../platform/http/long-json.ts';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { contract } from './contract/field.ts';
import {
  addLegalValue,
  changeContextField,
  createContextField,
  getContextFieldFor,
  listContextFieldsFor,
  listContextUsageFor,
  removeContextField,
  removeLegalValue,
  validateConstraint,
  validateName,
} from './service.ts';

export function contextRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, contract.listContextFields, (_input, { actor }) => listContextFieldsFor(db, actor));

  route(app, contract.getContextField, ({ params }, { actor }) =>
    getContextFieldFor(db, actor, params.contextField),
  );

  route(app, contract.listContextUsage, async ({ params }, { actor, reply }) =>
    sendLongJson(reply, { strategies: await listContextUsageFor(db, actor, params.contextField) }),
  );

  route(app, contract.createContextField, ({ body }, { actor }) =>
    transact(actor, (tx) => createContextField(tx, body)),
  );

  route(app, contract.validateContextFieldName, ({ body }) => validateName(db, body.name));

  route(app, contract.updateContextField, ({ params, body }, { actor }) =>
    transact(actor, (tx) => changeContextField(tx, params.contextField, body)),
  );

  route(app, contract.addLegalValue, ({ params, body }, { actor }) =>
    transact(actor, (tx) => addLegalValue(tx, params.contextField, body)),
  );

  route(app, contract.removeLegalValue, ({ params }, { actor }) =>
    transact(actor, (tx) => removeLegalValue(tx, params.contextField, params.legalValue)),
  );

  route(app, contract.deleteContextField, ({ params }, { actor }) =>
    transact(actor, (tx) => removeContextField(tx, params.contextField)),
  );

  route(app, contract.validateConstraint, ({ body }) => validateConstraint(db, body));
}
