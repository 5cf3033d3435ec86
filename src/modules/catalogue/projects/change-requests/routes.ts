import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { changeRequestEndpoints } from './checks.ts';
import { listChangeRequestConfig, setChangeRequestConfig } from './service.ts';

export function changeRequestRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, changeRequestEndpoints.listChangeRequestConfig, ({ params }) =>
    listChangeRequestConfig(db, params.projectId),
  );

  route(app, changeRequestEndpoints.setChangeRequestConfig, ({ params, body }, { actor }) =>
    transact(actor, (tx) =>
      setChangeRequestConfig(
        tx,
        { project: params.projectId, environment: params.environment },
        body,
      ),
    ),
  );
}
