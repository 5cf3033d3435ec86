import type { FastifyInstance } from 'fastify';
import { sendLongJson } from '../../../platform/http/long-json.ts';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { endpoints } from './checks.ts';
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

export function contextRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, endpoints.listContextFields, (_input, { actor }) => listContextFieldsFor(db, actor));

  route(app, endpoints.getContextField, ({ params }, { actor }) =>
    getContextFieldFor(db, actor, params.contextField),
  );

  route(app, endpoints.listContextUsage, async ({ params }, { actor, reply }) =>
    sendLongJson(reply, { strategies: await listContextUsageFor(db, actor, params.contextField) }),
  );

  route(app, endpoints.listContextFieldUses, ({ params }, { actor }) =>
    listContextFieldUsesFor(db, actor, params.contextField),
  );

  route(app, endpoints.createContextField, ({ body }, { actor }) =>
    transact(actor, (tx) => createContextField(tx, body)),
  );

  route(app, endpoints.validateContextFieldName, ({ body }) => validateName(db, body.name));

  route(app, endpoints.updateContextField, ({ params, body }, { actor }) =>
    transact(actor, (tx) => changeContextField(tx, params.contextField, body)),
  );

  route(app, endpoints.addLegalValue, ({ params, body }, { actor }) =>
    transact(actor, (tx) => addLegalValue(tx, params.contextField, body)),
  );

  route(app, endpoints.removeLegalValue, ({ params }, { actor }) =>
    transact(actor, (tx) => removeLegalValue(tx, params.contextField, params.legalValue)),
  );

  route(app, endpoints.deleteContextField, ({ params }, { actor }) =>
    transact(actor, (tx) => removeContextField(tx, params.contextField)),
  );

  route(app, endpoints.validateConstraint, ({ body }) => validateConstraint(db, body));
}
