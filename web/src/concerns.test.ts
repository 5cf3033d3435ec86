import { describe, expect, test } from 'vitest';
import { contract } from '../../src/contract.ts';
import { eventTypes } from '../../src/modules/events/event-types-schema.ts';
import { areaOf, concerned, isConcerned } from './concerns.ts';

const feature = 'GET /api/admin/projects/:projectId/features/:featureName';
const here = { projectId: 'shop', featureName: 'sale' };
const switched = { type: 'feature-environment-enabled', project: 'shop', featureName: 'sale' };

test.each([
  ['refreshes its feature', switched, feature, here, true],
  ['does not refresh another feature', switched, feature, { ...here, featureName: 'other' }, false],
  ['refreshes a list of features', switched, 'GET /api/admin/search/features', {}, true],
  [
    'refreshes its project',
    switched,
    'GET /api/admin/projects/:projectId/overview',
    { projectId: 'shop' },
    true,
  ],
  [
    'does not refresh another project',
    switched,
    'GET /api/admin/projects/:projectId/overview',
    { projectId: 'hr' },
    false,
  ],
  ['refreshes the list of projects', switched, 'GET /api/admin/projects', {}, true],
  ['refreshes the event log', switched, 'GET /api/admin/search/events', {}, true],
  [
    'does not refresh an open event',
    switched,
    'GET /api/admin/search/events/:id',
    { id: '7' },
    false,
  ],
  [
    'does not refresh the list of followed features',
    switched,
    'GET /api/admin/user/follows',
    {},
    false,
  ],
  [
    'refreshes the list of followed features if a feature is deleted',
    { type: 'feature-deleted', project: 'shop', featureName: 'sale' },
    'GET /api/admin/user/follows',
    {},
    true,
  ],
  [
    'refreshes the changes of followed features',
    switched,
    'GET /api/admin/user/follows/changes',
    {},
    true,
  ],
  ['refreshes notifications', switched, 'GET /api/admin/user/follows/notifications', {}, true],
  [
    'refreshes what needs attention',
    { type: 'addon-config-updated', isHint: true },
    'GET /api/admin/attention',
    {},
    true,
  ],
  [
    'does not refresh the names of users if a token is created',
    { type: 'pat-created' },
    'GET /api/admin/user-admin/access',
    {},
    false,
  ],
  [
    'refreshes the names of users if one is renamed',
    { type: 'user-updated' },
    'GET /api/admin/user-admin/access',
    {},
    true,
  ],
  [
    'does not refresh feature names if a feature is enabled',
    switched,
    'GET /api/admin/feature-names',
    {},
    false,
  ],
  [
    'refreshes feature names if a feature is created',
    { type: 'feature-created', project: 'shop', featureName: 'sale' },
    'GET /api/admin/feature-names',
    {},
    true,
  ],
  [
    'of an unknown type refreshes feature names',
    { type: '' },
    'GET /api/admin/feature-names',
    {},
    true,
  ],
  ['does not refresh the current user', switched, 'GET /api/admin/user', {}, false],
  ['does not refresh integrations', switched, 'GET /api/admin/addons', {}, false],
  [
    'refreshes the parent of a new child',
    { type: 'feature-dependency-added', project: 'shop', featureName: 'child' },
    feature,
    here,
    true,
  ],
  [
    'as a hint refreshes segments',
    { type: 'segment-updated', isHint: true },
    'GET /api/admin/segments',
    {},
    true,
  ],
  [
    'as a hint does not refresh the event log',
    { type: 'segment-updated', isHint: true },
    'GET /api/admin/search/events',
    {},
    false,
  ],
  [
    'of a segment does not refresh strategy types',
    { type: 'segment-updated' },
    'GET /api/admin/strategies',
    {},
    false,
  ],
  [
    'of a role refreshes the permissions of the current user',
    { type: 'role-updated' },
    'GET /api/admin/user',
    {},
    true,
  ],
  [
    'of settings refreshes the configuration',
    { type: 'setting-updated', isHint: true },
    'GET /api/admin/ui-config',
    {},
    true,
  ],
  [
    'of a type without a rule refreshes everything',
    { type: 'banner-created' },
    'GET /api/admin/user',
    {},
    true,
  ],
  [
    'of a segment refreshes a playground',
    { type: 'segment-updated' },
    'POST /api/admin/playground/decisions',
    {},
    true,
  ],
  [
    'of an integration does not refresh a playground',
    { type: 'addon-updated' },
    'POST /api/admin/playground/decisions',
    {},
    false,
  ],
  ['refreshes a query with a custom key', switched, 'log facets', {}, true],
  [
    'of a type without a rule does not refresh the session',
    { type: 'banner-created' },
    'GET /auth/simple',
    {},
    false,
  ],
] as const)('an event %s', (_what, happened, operation, params, outcome) => {
  expect(isConcerned(happened, operation, params)).toBe(outcome);
});

describe('the refresh rules', () => {
  const operations = Object.values(contract)
    .flatMap((endpoints) => Object.values(endpoints))
    .map(({ method, path }) => `${method} ${path}`)
    .filter((operation) => /^(GET|POST) \/api\/admin\//.test(operation));
  const areas = new Set(concerned.flatMap(([, list]) => list.split(' ')));

  test('cover every event type, except those that refresh everything', () => {
    const families =
      /^(actions|banner|client|db-pool|drop|release-plan|scim|setting|signal-endpoint)-/;
    const covered = (type: string) => concerned.some(([beginning]) => type.startsWith(beginning));
    expect(eventTypes.filter((type) => !covered(type) && !families.test(type))).toEqual([]);
    expect(eventTypes.filter((type) => covered(type) && families.test(type))).toEqual([]);
  });

  test('cover every area that can be read, except settings and usage', () => {
    const withoutRule = operations
      .filter((operation) => operation.startsWith('GET '))
      .map(areaOf)
      .filter((area) => !areas.has(area));
    expect([...new Set(withoutRule)].sort()).toEqual([
      // Every event refreshes it.
      'attention',
      'auth',
      'banners',
      // Only calendar apps read it.
      'calendar.ics',
      'client-metrics',
      // The event log and the feature names have their own rules.
      'event-creators',
      'events',
      'feature-names',
      // The past does not change, and incidents follow the log.
      'history',
      'license',
      'licensed-users',
      'lifecycle',
      'maintenance',
      'notifications',
      'scim-settings',
      'settings',
      'telemetry',
      'ui-config',
    ]);
  });

  test('name only existing areas', () => {
    const existing = new Set(operations.map(areaOf));
    expect([...areas].filter((area) => !existing.has(area))).toEqual([]);
  });
});
