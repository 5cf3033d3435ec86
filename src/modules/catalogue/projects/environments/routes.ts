import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { getDefaultStrategy, listEnvironmentsOf } from '../read.ts';
import { environmentEndpoints } from './checks.ts';
import { addEnvironment, removeEnvironment, setDefaultStrategy } from './service.ts';

/** The version of the response format that clients of the reference expect. */
const version = 1;

export function environmentRoutes(
  app: FastifyInstance,
  { db, transact, clock, runHook }: Services,
): void {
  route(app, environmentEndpoints.listProjectEnvironments, async ({ params }) => ({
    version,
    environments: await listEnvironmentsOf(db, params.projectId, clock()),
  }));

  route(app, environmentEndpoints.addProjectEnvironment, ({ params, body }, { actor }) =>
    transact(actor, (tx) => addEnvironment(tx, params.projectId, body.environment)),
  );

  route(
    app,
    environmentEndpoints.removeProjectEnvironment,
    ({ params: { projectId, environment } }, { actor }) =>
      transact(actor, (tx) => removeEnvironment(tx, { project: projectId, environment }, runHook)),
  );

  route(app, environmentEndpoints.getDefaultStrategy, ({ params: { projectId, environment } }) =>
    getDefaultStrategy(db, { project: projectId, environment }),
  );

  route(app, environmentEndpoints.setDefaultStrategy, ({ params, body }, { actor }) =>
    transact(actor, (tx) =>
      setDefaultStrategy(tx, { project: params.projectId, environment: params.environment }, body),
    ),
  );
}
