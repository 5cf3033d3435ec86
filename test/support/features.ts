import type { TestApp } from './app.ts';

/** When everything happens to the features of a server whose clock stands still. */
export const now = '2026-03-01T12:00:00.000Z';

/** What the log tells of a feature that is new at that time. */
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

/** Asks for features, wished for well or badly. */
export const featuresOn = ({ ask }: Pick<TestApp, 'ask'>) => ({
  create: (payload: object, project = 'default') =>
    ask(`POST /api/admin/projects/${project}/features`, { payload }),

  read: async (name: string, project = 'default') =>
    (await ask(`GET /api/admin/projects/${project}/features/${name}`)).json(),
});
