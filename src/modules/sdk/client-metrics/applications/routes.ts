import { defineUseCase } from '../../../../platform/module.ts';
import { flushUsage } from '../report/flush.ts';
import { checks } from './checks.ts';
import { applicationContract } from './contract.ts';
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

export const applicationUseCase = defineUseCase({
  contract: applicationContract,
  checks,
  routes: (services) => {
    const { db, transact } = services;
    const flushed = () => flushUsage(services);

    return {
      searchApplications: async ({ query, parsed }, { actor }) => {
        await flushed();
        return searchApplications(db, actor.sees, {
          words: query.query,
          sortBy: orderOf(query.sortBy),
          descending: query.sortOrder === 'desc',
          paging: parsed,
        });
      },

      getApplication: async ({ params }, { actor }) => {
        await flushed();
        return getApplication(db, actor, params.appName);
      },

      getOverview: async ({ params }, { actor }) => {
        await flushed();
        return getOverview(db, actor, params.appName);
      },

      listInstances: async ({ params }, { actor }) => {
        await flushed();
        const { appName, environment } = params;
        return { instances: await listInstancesIn(db, actor, appName, environment) };
      },

      annotateApplication: async ({ params, body }, { actor }) => {
        await flushed();
        return transact(actor, (tx) => annotateApplication(tx, params.appName, body));
      },

      forgetApplication: async ({ params }, { actor }) => {
        await flushed();
        return transact(actor, (tx) => forgetApplication(tx, params.appName));
      },

      listOutdated: async (_input, { actor }) => {
        await flushed();
        return { sdks: await listOutdated(db, actor) };
      },

      listUnknown: async ({ query }, { actor }) => {
        await flushed();
        return { unknownFlags: await listUnknownFor(db, actor, query.ignored === 'true') };
      },

      ignoreUnknown: async ({ params }, { actor }) => {
        await flushed();
        return transact(actor, (tx) => ignoreName(tx, params.name));
      },

      noticeUnknown: async ({ params }, { actor }) => {
        await flushed();
        return transact(actor, (tx) => noticeName(tx, params.name));
      },

      searchProjectApplications: async ({ params: { projectId }, query, parsed }) => {
        await flushed();
        return searchApplicationsOf(db, projectId, {
          words: query.query,
          descending: query.sortOrder === 'desc',
          paging: parsed,
        });
      },

      listOutdatedOfProject: async ({ params }, { actor }) => {
        await flushed();
        return { sdks: await listOutdated(db, actor, params.projectId) };
      },
    };
  },
});
