import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { addressOf } from '../address-schema.ts';
import { dependencyEndpoints as contract } from './checks.ts';
import {
  addDependencyOf,
  hasDependencies,
  listParentVariants,
  listPossibleParents,
  removeDependencies,
  removeDependency,
} from './service.ts';

export function dependencyRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, contract.addDependency, ({ params, body }, { actor }) =>
    transact(actor, (tx) => addDependencyOf(tx, addressOf(params), body)),
  );

  route(app, contract.removeDependency, ({ params: { parent, ...params } }, { actor }) =>
    transact(actor, (tx) => removeDependency(tx, addressOf(params), parent)),
  );

  route(app, contract.removeDependencies, ({ params }, { actor }) =>
    transact(actor, (tx) => removeDependencies(tx, addressOf(params))),
  );

  route(app, contract.listPossibleParents, ({ params }) =>
    listPossibleParents(db, addressOf(params)),
  );

  route(app, contract.listParentVariants, ({ params }) =>
    listParentVariants(db, addressOf(params)),
  );

  route(app, contract.hasDependencies, ({ params }) => hasDependencies(db, params.projectId));
}
