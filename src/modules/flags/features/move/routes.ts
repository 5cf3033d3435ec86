import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { contract } from './contract.ts';
import { changeProjectOf } from './service.ts';

export function moveRoutes(app: FastifyInstance, { transact }: Services): void {
  route(app, contract.changeProject, ({ params, body }, { actor }) =>
    transact(actor, (tx) =>
      changeProjectOf(
        tx,
        { project: params.projectId, feature: params.featureName },
        body.newProjectId,
      ),
    ),
  );
}
