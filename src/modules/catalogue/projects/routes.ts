import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { changeRequestEndpoints, environmentEndpoints, projectEndpoints } from './checks.ts';
import { favoriteContract } from './contract/favorites.ts';
import { listChangeRequestConfig, setChangeRequestConfig } from './service/change-requests.ts';
import { addEnvironment, removeEnvironment, setDefaultStrategy } from './service/environments.ts';
import { addFavorite, removeFavorite } from './service/favorites.ts';
import { getDefaultStrategy, listEnvironmentsOf, listProjectsFor } from './service/overview.ts';
import {
  archiveProject,
  changeProject,
  createProject,
  removeProject,
  reviveProject,
  validateId,
} from './service/project.ts';

/** The version of the answers' shape, as clients of the reference product expect it. */
const version = 1;

export function projectRoutes(app: FastifyInstance, services: Services): void {
  routeProjects(app, services);
  routeProjectEnvironments(app, services);
  routeChangeRequests(app, services);
  routeFavorites(app, services);
}

function routeProjects(
  app: FastifyInstance,
  { db, transact, clock, runHook, settings: { baseUrl } }: Services,
): void {
  const contract = projectEndpoints;

  route(app, contract.listProjects, async ({ query }, { actor }) => ({
    version,
    projects: await listProjectsFor(
      db,
      { actor, baseUrl, now: clock() },
      { archived: query.archived === 'true' },
    ),
  }));

  route(app, contract.createProject, ({ body }, { actor }) =>
    transact(actor, (tx) => createProject(tx, body)),
  );

  route(app, contract.validateProjectId, ({ body }) => validateId(db, body.id));

  route(app, contract.updateProject, ({ params, body }, { actor }) =>
    transact(actor, (tx) => changeProject(tx, params.projectId, body)),
  );

  route(app, contract.updateProjectSettings, ({ params, body }, { actor }) =>
    transact(actor, (tx) => changeProject(tx, params.projectId, body)),
  );

  route(app, contract.deleteProject, ({ params }, { actor }) =>
    transact(actor, (tx) => removeProject(tx, params.projectId, runHook)),
  );

  route(app, contract.archiveProject, ({ params }, { actor }) =>
    transact(actor, (tx) => archiveProject(tx, params.projectId)),
  );

  route(app, contract.reviveProject, ({ params }, { actor }) =>
    transact(actor, (tx) => reviveProject(tx, params.projectId)),
  );
}

function routeProjectEnvironments(
  app: FastifyInstance,
  { db, transact, clock, runHook }: Services,
): void {
  const contract = environmentEndpoints;

  route(app, contract.listProjectEnvironments, async ({ params }) => ({
    version,
    environments: await listEnvironmentsOf(db, params.projectId, clock()),
  }));

  route(app, contract.addProjectEnvironment, ({ params, body }, { actor }) =>
    transact(actor, (tx) => addEnvironment(tx, params.projectId, body.environment)),
  );

  route(
    app,
    contract.removeProjectEnvironment,
    ({ params: { projectId, environment } }, { actor }) =>
      transact(actor, (tx) => removeEnvironment(tx, { project: projectId, environment }, runHook)),
  );

  route(app, contract.getDefaultStrategy, ({ params: { projectId, environment } }) =>
    getDefaultStrategy(db, { project: projectId, environment }),
  );

  route(app, contract.setDefaultStrategy, ({ params, body }, { actor }) =>
    transact(actor, (tx) =>
      setDefaultStrategy(tx, { project: params.projectId, environment: params.environment }, body),
    ),
  );
}

function routeChangeRequests(app: FastifyInstance, { db, transact }: Services): void {
  const contract = changeRequestEndpoints;

  route(app, contract.listChangeRequestConfig, ({ params }) =>
    listChangeRequestConfig(db, params.projectId),
  );

  route(app, contract.setChangeRequestConfig, ({ params, body }, { actor }) =>
    transact(actor, (tx) =>
      setChangeRequestConfig(
        tx,
        { project: params.projectId, environment: params.environment },
        body,
      ),
    ),
  );
}

function routeFavorites(app: FastifyInstance, { transact }: Services): void {
  const contract = favoriteContract;

  route(app, contract.addFavorite, ({ params }, { actor }) =>
    transact(actor, (tx) => addFavorite(tx, params.projectId)),
  );

  route(app, contract.removeFavorite, ({ params }, { actor }) =>
    transact(actor, (tx) => removeFavorite(tx, params.projectId)),
  );
}
