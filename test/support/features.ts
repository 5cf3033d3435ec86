import type { TestApp } from './app.ts';

/** The time of a server with a fixed clock. */
export const now = '2026-03-01T12:00:00.000Z';

/** A feature created at that time, as events contain it. */
export const facts = (name: string, more: object = {}) => ({
  name,
  description: null,
  type: 'release',
  project: 'default',
  stale: false,
  impressionData: false,
  createdAt: now,
  archived: false,
  archivedAt: null,
  ...more,
});

export const featuresOn = ({ ask }: Pick<TestApp, 'ask'>) => ({
  create: (payload: object, project = 'default') =>
    ask(`POST /api/admin/projects/${project}/features`, { payload }),

  read: async (name: string, project = 'default') =>
    (await ask(`GET /api/admin/projects/${project}/features/${name}`)).json(),

  isOn: async (name: string, environment: string, project = 'default'): Promise<boolean> => {
    const address = `/api/admin/projects/${project}/features/${name}/environments/${environment}`;
    return (await ask(`GET ${address}`)).json().enabled;
  },
});
