import type { FastifyInstance } from 'fastify';
import { notFound } from '../../platform/errors.ts';
import { route } from '../../platform/http/endpoint.ts';
import type { Services } from '../../platform/module.ts';
import { environmentContract } from './contract/environments.ts';
import { projectContract } from './contract/project.ts';
import { effectiveStrategy } from './default-strategy.ts';
import { findProjectEnvironment, listProjectEnvironments } from './queries/environments.ts';
import { findProject, listProjects } from './queries/project.ts';
import {
  addEnvironment,
  cloneEnvironment,
  removeEnvironment,
  setDefaultStrategy,
} from './service/environments.ts';
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
}

function routeProjects(app: FastifyInstance, { db, transact }: Services): void {
  const contract = projectContract;

  route(app, contract.listProjects, async ({ query }, { actor }) => ({
    version,
    projects: await listProjects(db, { sees: actor.sees, archived: query.archived === 'true' }),
  }));

  route(app, contract.createProject, ({ body }, { actor }) =>
    transact(actor, (tx) => createProject(tx, body)),
  );

  route(app, contract.validateProjectId, ({ body }) => validateId(db, body.id));

  route(app, contract.getProjectOverview, async ({ params }) => {
    const project = await findProject(db, params.projectId);
    if (!project) throw notFound('project', params.projectId);
    const environments = await listProjectEnvironments(db, project.id);
    return {
      version,
      ...project,
      environments: environments.map(({ name, storedStrategy, defaultStickiness }) => ({
        environment: name,
        changeRequestsEnabled: false,
        defaultStrategy: effectiveStrategy(storedStrategy, defaultStickiness),
      })),
    };
  });

  route(app, contract.updateProject, ({ params, body }, { actor }) =>
    transact(actor, (tx) => changeProject(tx, params.projectId, body)),
  );

  route(app, contract.updateProjectSettings, ({ params, body }, { actor }) =>
    transact(actor, (tx) => changeProject(tx, params.projectId, body)),
  );

  route(app, contract.deleteProject, ({ params }, { actor }) =>
    transact(actor, (tx) => removeProject(tx, params.projectId)),
  );

  route(app, contract.archiveProject, ({ params }, { actor }) =>
    transact(actor, (tx) => archiveProject(tx, params.projectId)),
  );

  route(app, contract.reviveProject, ({ params }, { actor }) =>
    transact(actor, (tx) => reviveProject(tx, params.projectId)),
  );
}

function routeProjectEnvironments(app: FastifyInstance, { db, transact }: Services): void {
  const contract = environmentContract;

  route(app, contract.listProjectEnvironments, async ({ params }) => {
    const environments = await listProjectEnvironments(db, params.projectId);
    return {
      version,
      environments: environments.map(({ storedStrategy, defaultStickiness, ...environment }) => ({
        ...environment,
        defaultStrategy: effectiveStrategy(storedStrategy, defaultStickiness),
      })),
    };
  });

  route(app, contract.cloneEnvironment, ({ params, body }, { actor }) =>
    transact(actor, (tx) => cloneEnvironment(tx, params.name, body)),
  );

  route(app, contract.addProjectEnvironment, ({ params, body }, { actor }) =>
    transact(actor, (tx) => addEnvironment(tx, params.projectId, body.environment)),
  );

  route(app, contract.removeProjectEnvironment, ({ params }, { actor }) =>
    transact(actor, (tx) => removeEnvironment(tx, params.projectId, params.environment)),
  );

  route(app, contract.getDefaultStrategy, async ({ params: { projectId, environment } }) => {
    const found = await findProjectEnvironment(db, projectId, environment);
    if (!found) throw notFound('environment', environment);
    return effectiveStrategy(found.storedStrategy, found.defaultStickiness);
  });

  route(app, contract.setDefaultStrategy, ({ params, body }, { actor }) =>
    transact(actor, (tx) =>
      setDefaultStrategy(tx, { project: params.projectId, environment: params.environment }, body),
    ),
  );
}
