import { expect, test } from 'vitest';
import { isConcerned } from './concerns.ts';

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
