import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { applicationEndpoints } from './checks.ts';
import { orderOf, searchApplications } from './queries.ts';
import {
  annotateApplication,
  forgetApplication,
  getApplication,
  getOverview,
  ignoreName,
  listInstancesIn,
  listOutdated,
  listUnknownFor,
  noticeName,
  searchApplicationsOf,
} from './service.ts';

export function applicationRoutes(
  app: FastifyInstance,
  services: Services,
  flushed: () => Promise<void>,
): void {
  const { db, transact } = services;

  route(app, applicationEndpoints.searchApplications, async ({ query, parsed }, { actor }) => {
    await flushed();
    return searchApplications(db, actor.sees, {
      words: query.query,
      sortBy: orderOf(query.sortBy),
      descending: query.sortOrder === 'desc',
      paging: parsed,
    });
  });

  route(app, applicationEndpoints.getApplication, async ({ params }, { actor }) => {
    await flushed();
    return getApplication(db, actor, params.appName);
  });

  route(app, applicationEndpoints.getOverview, async ({ params }, { actor }) => {
    await flushed();
    return getOverview(db, actor, params.appName);
  });

  route(app, applicationEndpoints.listInstances, async ({ params }, { actor }) => {
    await flushed();
    const { appName, environment } = params;
    return { instances: await listInstancesIn(db, actor, appName, environment) };
  });

  route(app, applicationEndpoints.annotateApplication, async ({ params, body }, { actor }) => {
    await flushed();
    return transact(actor, (tx) => annotateApplication(tx, params.appName, body));
  });

  route(app, applicationEndpoints.forgetApplication, async ({ params }, { actor }) => {
    await flushed();
    return transact(actor, (tx) => forgetApplication(tx, params.appName));
  });

  route(app, applicationEndpoints.listOutdated, async (_input, { actor }) => {
    await flushed();
    return { sdks: await listOutdated(db, actor) };
  });

  route(app, applicationEndpoints.listUnknown, async ({ query }, { actor }) => {
    await flushed();
    return { unknownFlags: await listUnknownFor(db, actor, query.ignored === 'true') };
  });

  route(app, applicationEndpoints.ignoreUnknown, async ({ params }, { actor }) => {
    await flushed();
    return transact(actor, (tx) => ignoreName(tx, params.name));
  });

  route(app, applicationEndpoints.noticeUnknown, async ({ params }, { actor }) => {
    await flushed();
    return transact(actor, (tx) => noticeName(tx, params.name));
  });

  route(
    app,
    applicationEndpoints.searchProjectApplications,
    async ({ params: { projectId }, query, parsed }) => {
      await flushed();
      return searchApplicationsOf(db, projectId, {
        words: query.query,
        descending: query.sortOrder === 'desc',
        paging: parsed,
      });
    },
  );

  route(app, applicationEndpoints.listOutdatedOfProject, async ({ params }, { actor }) => {
    await flushed();
    return { sdks: await listOutdated(db, actor, params.projectId) };
  });
}
