import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { contract } from './contract.ts';
import {
  changeEnvironment,
  cloneEnvironment,
  createEnvironment,
  getEnvironmentFor,
  listEnvironmentsFor,
  listEnvironmentUsesFor,
  orderEnvironments,
  removeEnvironment,
  switchEnvironment,
  validateName,
} from './service.ts';

export function environmentRoutes(
  app: FastifyInstance,
  { db, transact, clock, runHook }: Services,
): void {
  route(app, contract.listEnvironments, async (_input, { actor }) => ({
    version: 1,
    environments: await listEnvironmentsFor(db, { sees: actor.sees, now: clock() }),
  }));

  route(app, contract.getEnvironment, ({ params }, { actor }) =>
    getEnvironmentFor(db, { sees: actor.sees, now: clock() }, params.name),
  );

  route(app, contract.listEnvironmentUses, ({ params }, { actor }) =>
    listEnvironmentUsesFor(db, actor, params.name),
  );

  route(app, contract.createEnvironment, ({ body }, { actor }) =>
    transact(actor, (tx) => createEnvironment(tx, body)),
  );

  route(app, contract.validateEnvironmentName, ({ body }) => validateName(db, body.name));

  route(app, contract.updateSortOrder, ({ body }, { actor }) =>
    transact(actor, (tx) => orderEnvironments(tx, body)),
  );

  route(app, contract.updateEnvironment, ({ params, body: { type, sortOrder } }, { actor }) =>
    transact(actor, (tx) =>
      changeEnvironment(tx, params.name, {
        ...(type !== undefined && { type }),
        ...(sortOrder !== undefined && { sortOrder }),
      }),
    ),
  );

  route(app, contract.switchEnvironmentOn, ({ params }, { actor }) =>
    transact(actor, (tx) => switchEnvironment(tx, params.name, true)),
  );

  route(app, contract.switchEnvironmentOff, ({ params }, { actor }) =>
    transact(actor, (tx) => switchEnvironment(tx, params.name, false)),
  );

  route(app, contract.cloneEnvironment, ({ params, body }, { actor }) =>
    transact(actor, (tx) => cloneEnvironment(tx, params.name, body, runHook)),
  );

  route(app, contract.deleteEnvironment, ({ params }, { actor }) =>
    transact(actor, (tx) => removeEnvironment(tx, params.name)),
  );
}
