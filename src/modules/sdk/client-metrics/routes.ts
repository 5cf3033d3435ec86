import type { FastifyInstance } from 'fastify';
import type { Reach } from '../../../platform/db/database.ts';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { definitionsOf, type EvaluationScope, scopeOf } from '../snapshot/index.ts';
import { applicationEndpoints, featureUsageEndpoints, reportEndpoints } from './checks.ts';
import { edgesIn } from './contract/report.ts';
import { orderOf, searchApplications } from './queries/applications.ts';
import {
  annotateApplication,
  forgetApplication,
  getApplication,
  getOverview,
  listInstancesIn,
  listOutdated,
  listUnknownFor,
  searchApplicationsOf,
} from './service/applications.ts';
import { getFeatureUsage, listFeatureUsage } from './service/feature-usage.ts';
import { type Usage, usageOf } from './usage.ts';

export function usageRoutes(app: FastifyInstance, services: Services): void {
  const usage = usageOf(services);
  routeReports(app, services, usage);
  services.figures.gauge(
    { name: 'burgee_usage_waiting', help: 'What SDKs reported and is not stored yet' },
    usage.waiting,
  );
  // Whoever asks sees what was told to this instance up to now, and to others up to a second ago.
  const stored = () => usage.flush().catch(() => undefined);
  routeFeatureUsage(app, services, stored);
  routeApplications(app, services, stored);
  routeProject(app, services, stored);
}

type Stored = () => Promise<void>;

function routeReports(app: FastifyInstance, services: Services, usage: Usage): void {
  const definitions = definitionsOf(services);

  /** A token reports for its own environment; an admin token for the one that it names. */
  const scopeFor = async (
    reach: Reach,
    wished: string | null | undefined,
  ): Promise<EvaluationScope> =>
    reach.environment === null
      ? scopeOf(reach, await definitions.current(), wished ?? undefined)
      : { environment: reach.environment, projects: reach.scopes };

  route(app, reportEndpoints.register, async ({ body }, { actor }) => {
    const scope = await scopeFor(actor.reach as Reach, body.environment);
    usage.register(scope, body, { ip: actor.ip });
  });

  route(app, reportEndpoints.addMetrics, async ({ body }, { actor }) => {
    usage.addMetrics(await scopeFor(actor.reach as Reach, body.environment), body);
  });

  route(app, reportEndpoints.tellOfEdge, async ({ body }, { actor }) => {
    const reach = actor.reach as Reach;
    const scope = await scopeFor(reach, undefined);
    for (const edge of edgesIn(body)) usage.register(scope, edge, { ip: actor.ip });
  });

  route(app, reportEndpoints.addInBulk, async ({ body }, { actor }) => {
    const reach = actor.reach as Reach;
    const scoped = async <Item extends { readonly environment?: string | null }>(
      items: readonly Item[],
    ): Promise<(readonly [EvaluationScope, Item])[]> => {
      const own: (readonly [EvaluationScope, Item])[] = [];
      for (const item of items) {
        const scope = await scopeFor(reach, item.environment);
        // What was added up for another environment cannot be true of this one.
        if ((item.environment ?? scope.environment) === scope.environment) own.push([scope, item]);
      }
      return own;
    };
    const told = {
      applications: await scoped(body.applications),
      metrics: await scoped(body.metrics),
    };
    usage.addInBulk(told, { ip: actor.ip });
  });
}

function routeFeatureUsage(app: FastifyInstance, services: Services, stored: Stored): void {
  const { db, searchDb, clock } = services;

  route(app, featureUsageEndpoints.getFeatureUsage, async ({ params }) => {
    await stored();
    return getFeatureUsage(db, params.featureName, clock());
  });

  route(app, featureUsageEndpoints.listFeatureUsage, async ({ params, query }) => {
    await stored();
    return listFeatureUsage(searchDb, params.featureName, {
      now: clock(),
      ...(query.hoursBack !== undefined && { hoursBack: Number(query.hoursBack) }),
    });
  });
}

function routeApplications(app: FastifyInstance, services: Services, stored: Stored): void {
  const { db, transact } = services;
  const contract = applicationEndpoints;

  route(app, contract.searchApplications, async ({ query, parsed }, { actor }) => {
    await stored();
    return searchApplications(db, actor.sees, {
      words: query.query,
      sortBy: orderOf(query.sortBy),
      descending: query.sortOrder === 'desc',
      paging: parsed,
    });
  });

  route(app, contract.getApplication, async ({ params }, { actor }) => {
    await stored();
    return getApplication(db, actor, params.appName);
  });

  route(app, contract.getOverview, async ({ params }, { actor }) => {
    await stored();
    return getOverview(db, actor, params.appName);
  });

  route(app, contract.listInstances, async ({ params }, { actor }) => {
    await stored();
    const { appName, environment } = params;
    return { instances: await listInstancesIn(db, actor, appName, environment) };
  });

  route(app, contract.annotateApplication, async ({ params, body }, { actor }) => {
    await stored();
    return transact(actor, (tx) => annotateApplication(tx, params.appName, body));
  });

  route(app, contract.forgetApplication, async ({ params }, { actor }) => {
    await stored();
    return transact(actor, (tx) => forgetApplication(tx, params.appName));
  });

  route(app, contract.listOutdated, async (_input, { actor }) => {
    await stored();
    return { sdks: await listOutdated(db, actor) };
  });

  route(app, contract.listUnknown, async (_input, { actor }) => {
    await stored();
    return { unknownFlags: await listUnknownFor(db, actor) };
  });
}

function routeProject(app: FastifyInstance, { db }: Services, stored: Stored): void {
  route(
    app,
    applicationEndpoints.searchProjectApplications,
    async ({ params: { projectId }, query, parsed }) => {
      await stored();
      return searchApplicationsOf(db, projectId, {
        words: query.query,
        descending: query.sortOrder === 'desc',
        paging: parsed,
      });
    },
  );

  route(app, applicationEndpoints.listOutdatedOfProject, async ({ params }, { actor }) => {
    await stored();
    return { sdks: await listOutdated(db, actor, params.projectId) };
  });
}
