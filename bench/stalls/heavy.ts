import { featureOf } from '../many-features.ts';
import type { Case, Names } from './cases.ts';
import { expression } from './worst-value.ts';

const long = 'ab'.repeat(490);

/** As many features as an import accepts, each with a strategy, a thousand of them with an expression. */
function importOf({ project = '', environment = '' }: Names): string {
  const features = Array.from({ length: 5_000 }, (_, nth) => ({ name: `imported-${nth}` }));
  const featureStrategies = features.map(({ name: featureName }, nth) => ({
    ...{ featureName, name: 'default' },
    constraints: [
      nth < 1_000
        ? { contextName: 'userId', operator: 'REGEX', value: expression(nth) }
        : { contextName: 'userId', operator: 'IN', values: ['1', '2', '3'] },
    ],
  }));
  return JSON.stringify({ project, environment, data: { features, featureStrategies } });
}

/** Returns valid requests that are expensive by nature. */
export function heavyCases(names: Names): Case[] {
  const { project = '', environment = '' } = names;
  const { changedFrom = '', changedSince = '', changedTo = '' } = names;
  const past = `asOf=${changedFrom}`;
  const userId = long;
  const post = (path: string, kind: string, body: () => string): Case => ({
    ...{ method: 'POST', path, operation: path, kind, body },
    isOnce: kind !== 'all',
  });
  const definitions = (kind: string): Case => ({
    ...{ method: 'GET', path: '/api/client/features', operation: 'definitions', kind },
    isOnce: true,
  });
  const get = (path: string): Case => ({
    ...{ method: 'GET', path, operation: path, kind: 'all', isOnce: true },
  });
  // Nothing about the past is cached.
  const getPast = (path: string): Case => ({ ...get(path), isOnce: false });
  const json = (value: object) => () => JSON.stringify(value);
  const many = Array.from({ length: 1_000 }, (_, nth) => featureOf(project, nth + 1));
  const own = `/api/admin/projects/${project}`;
  const copies = many.slice(0, 500).map((feature) => ({ feature, name: `${feature}-copy` }));
  const batch = '/api/admin/features-batch';
  return [
    definitions('first'),
    post('/api/frontend', 'first', json({ context: { userId: 'a' } })),
    post('/api/frontend', 'matching', json({ context: { userId } })),
    post('/ofrep/v1/evaluate/flags', 'matching', json({ context: { userId } })),
    post('/ofrep/v1/evaluate/flags/hostile', 'matching', json({ context: { userId } })),
    post('/api/admin/playground', 'all', json({ environment, projects: '*', context: { userId } })),
    post(
      '/api/admin/playground/advanced',
      'all',
      json({ environments: [environment], projects: [project], context: { userId: 'a' } }),
    ),
    post(`${batch}/export`, 'all', json({ environment, project })),
    getPast(`/api/admin/environments/${environment}/client-features?${past}`),
    getPast(`/api/admin/search/features?limit=1000&${past}`),
    getPast(`/api/admin/segments?${past}`),
    getPast(`/api/admin/history/difference?from=${changedFrom}&to=${changedTo}`),
    getPast(
      `/api/admin/history/incident?${new URLSearchParams({
        ...{ environment, from: changedSince },
        to: new Date().toISOString(),
      })}`,
    ),
    post(
      '/api/admin/playground',
      'past',
      json({ environment, projects: '*', context: { userId }, asOf: changedFrom }),
    ),
    post(`${batch}/export`, 'past', json({ environment, project, asOf: changedFrom })),
    ...['?dryRun=true', ''].map((query) =>
      post(
        `/api/admin/events/revert${query}`,
        'many',
        json({ from: `${Number(changedFrom) + 1}`, to: changedTo }),
      ),
    ),
    post(`${batch}/validate`, 'all', () => importOf(names)),
    post(`${batch}/import`, 'all', () => importOf(names)),
    definitions('after import'),
    post('/api/frontend', 'after import', json({ context: { userId } })),
    get('/api/client/features?inlineSegmentConstraints=true'),
    get('/api/client/features?inlineSegmentConstraints=false'),
    get('/api/admin/segments'),
    get(`${own}/health-report`),
    post(`${own}/features/clone`, 'many', json({ features: copies })),
    post(`${own}/stale`, 'many', json({ features: many, stale: true })),
    post(`${own}/bulk_features/environments/${environment}/off`, 'many', json({ features: many })),
    post(`${own}/bulk_features/environments/${environment}/on`, 'many', json({ features: many })),
    post(
      `/api/admin/environments/${environment}/clone`,
      'all',
      json({ name: 'cloned', type: 'test', projects: [project] }),
    ),
    { ...get(`${own}/environments/cloned`), method: 'DELETE' },
    post(`${own}/archive`, 'many', json({ features: many })),
    post(`${own}/delete`, 'many', json({ features: many })),
  ];
}
