import { describe, expect, test } from 'vitest';
import { contract } from '../../src/contract.ts';
import { eventTypes } from '../../src/modules/events/event-types-schema.ts';
import { areaOf, concerned, isConcerned } from './concerns.ts';

const feature = 'GET /api/admin/projects/:projectId/features/:featureName';
const here = { projectId: 'shop', featureName: 'sale' };
const switched = { type: 'feature-environment-enabled', project: 'shop', featureName: 'sale' };

test.each([
  ['the feature itself', switched, feature, here, true],
  ['another feature', switched, feature, { ...here, featureName: 'other' }, false],
  ['a list of features', switched, 'GET /api/admin/search/features', {}, true],
  [
    'its project',
    switched,
    'GET /api/admin/projects/:projectId/overview',
    { projectId: 'shop' },
    true,
  ],
  [
    'another project',
    switched,
    'GET /api/admin/projects/:projectId/overview',
    { projectId: 'hr' },
    false,
  ],
  ['the list of projects', switched, 'GET /api/admin/projects', {}, true],
  ['the log', switched, 'GET /api/admin/search/events', {}, true],
  ['an open event', switched, 'GET /api/admin/search/events/:id', { id: '7' }, false],
  ['what somebody follows', switched, 'GET /api/admin/user/follows', {}, false],
  [
    'what somebody follows, if a feature is deleted',
    { type: 'feature-deleted', project: 'shop', featureName: 'sale' },
    'GET /api/admin/user/follows',
    {},
    true,
  ],
  ['changes of it', switched, 'GET /api/admin/user/follows/changes', {}, true],
  ['the names of features, by a switch', switched, 'GET /api/admin/feature-names', {}, false],
  [
    'the names of features, by a new one',
    { type: 'feature-created', project: 'shop', featureName: 'sale' },
    'GET /api/admin/feature-names',
    {},
    true,
  ],
  [
    'the names of features, if anything may have happened',
    { type: '' },
    'GET /api/admin/feature-names',
    {},
    true,
  ],
  ['who somebody is', switched, 'GET /api/admin/user', {}, false],
  ['integrations', switched, 'GET /api/admin/addons', {}, false],
  [
    'the parent of a new child',
    { type: 'feature-dependency-added', project: 'shop', featureName: 'child' },
    feature,
    here,
    true,
  ],
  ['segments', { type: 'segment-updated', isHint: true }, 'GET /api/admin/segments', {}, true],
  [
    'the log by a hint',
    { type: 'segment-updated', isHint: true },
    'GET /api/admin/search/events',
    {},
    false,
  ],
  [
    'context fields by a segment',
    { type: 'segment-updated' },
    'GET /api/admin/strategies',
    {},
    false,
  ],
  ['own permissions', { type: 'role-updated' }, 'GET /api/admin/user', {}, true],
  [
    'the configuration',
    { type: 'setting-updated', isHint: true },
    'GET /api/admin/ui-config',
    {},
    true,
  ],
  [
    'anything by a type that nobody foresaw',
    { type: 'banner-created' },
    'GET /api/admin/user',
    {},
    true,
  ],
  ['a playground', { type: 'segment-updated' }, 'POST /api/admin/playground/decisions', {}, true],
  ['no playground', { type: 'addon-updated' }, 'POST /api/admin/playground/decisions', {}, false],
  ['a read with a key of its own', switched, 'log facets', {}, true],
  ['one session', { type: 'banner-created' }, 'GET /auth/simple', {}, false],
] as const)('%s', (_what, happened, operation, params, outcome) => {
  expect(isConcerned(happened, operation, params)).toBe(outcome);
});

describe('the rules cover', () => {
  const operations = Object.values(contract)
    .flatMap((endpoints) => Object.values(endpoints))
    .map(({ method, path }) => `${method} ${path}`)
    .filter((operation) => /^(GET|POST) \/api\/admin\//.test(operation));
  const areas = new Set(concerned.flatMap(([, list]) => list.split(' ')));

  test('every event type; only these refresh everything', () => {
    const families =
      /^(actions|banner|change|client|db-pool|drop|release-plan|scim|setting|signal-endpoint)-/;
    const covered = (type: string) => concerned.some(([beginning]) => type.startsWith(beginning));
    expect(eventTypes.filter((type) => !covered(type) && !families.test(type))).toEqual([]);
    expect(eventTypes.filter((type) => covered(type) && families.test(type))).toEqual([]);
  });

  test('every area that can be read; only settings and usage wait for an event that refreshes everything', () => {
    const withoutRule = operations
      .filter((operation) => operation.startsWith('GET '))
      .map(areaOf)
      .filter((area) => !areas.has(area));
    expect([...new Set(withoutRule)].sort()).toEqual([
      'auth',
      'banners',
      'client-metrics',
      // The log and the list of names have rules of their own.
      'event-creators',
      'events',
      'feature-names',
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

  test('no area that does not exist', () => {
    const existing = new Set(operations.map(areaOf));
    expect([...areas].filter((area) => !existing.has(area))).toEqual([]);
  });
});
