import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/endpoint.ts';
import type { Services } from '../../../../platform/module.ts';
import { contract } from './contract.ts';
import { cloneEnvironment, removeEnvironmentWithFeatures } from './service/environments.ts';
import { changeProjectOf } from './service/move.ts';
import { removeProjectWithFeatures } from './service/project.ts';

export function reorganisationRoutes(app: FastifyInstance, { transact }: Services): void {
  route(app, contract.changeProject, ({ params, body }, { actor }) =>
    transact(actor, (tx) =>
      changeProjectOf(
        tx,
        { project: params.projectId, feature: params.featureName },
        body.newProjectId,
      ),
    ),
  );

  route(app, contract.deleteProject, ({ params }, { actor }) =>
    transact(actor, (tx) => removeProjectWithFeatures(tx, params.projectId)),
  );

  route(app, contract.removeProjectEnvironment, ({ params }, { actor }) =>
    transact(actor, (tx) =>
      removeEnvironmentWithFeatures(tx, params.projectId, params.environment),
    ),
  );

  route(app, contract.cloneEnvironment, ({ params, body }, { actor }) =>
    transact(actor, (tx) => cloneEnvironment(tx, params.name, body)),
  );
}
