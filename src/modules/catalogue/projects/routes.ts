import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { projectEndpoints } from './checks.ts';
import { listProjectsFor } from './read.ts';
import {
  archiveProject,
  changeProject,
  createProject,
  removeProject,
  reviveProject,
  validateId,
} from './service.ts';

/** The version of the response format that clients of the reference expect. */
const version = 1;

export function projectRoutes(
  app: FastifyInstance,
  { db, transact, clock, runHook, settings: { baseUrl } }: Services,
): void {
  route(app, projectEndpoints.listProjects, async ({ query }, { actor }) => ({
    version,
    projects: await listProjectsFor(
      db,
      { actor, baseUrl, now: clock() },
      { archived: query.archived === 'true' },
    ),
  }));

  route(app, projectEndpoints.createProject, ({ body }, { actor }) =>
    transact(actor, (tx) => createProject(tx, body)),
  );

  route(app, projectEndpoints.validateProjectId, ({ body }) => validateId(db, body.id));

  route(app, projectEndpoints.updateProject, ({ params, body }, { actor }) =>
    transact(actor, (tx) => changeProject(tx, params.projectId, body)),
  );

  route(app, projectEndpoints.updateProjectSettings, ({ params, body }, { actor }) =>
    transact(actor, (tx) => changeProject(tx, params.projectId, body)),
  );

  route(app, projectEndpoints.deleteProject, ({ params }, { actor }) =>
    transact(actor, (tx) => removeProject(tx, params.projectId, runHook)),
  );

  route(app, projectEndpoints.archiveProject, ({ params }, { actor }) =>
    transact(actor, (tx) => archiveProject(tx, params.projectId)),
  );

  route(app, projectEndpoints.reviveProject, ({ params }, { actor }) =>
    transact(actor, (tx) => reviveProject(tx, params.projectId)),
  );
}
