import { describe, expect, test } from 'vitest';
import { scopeOf } from './scope.ts';

const event = (type: string, about: { featureName?: string; project?: string } = {}) => ({
  type,
  featureName: about.featureName ?? null,
  project: about.project ?? null,
});

const scope = (given: { features?: string[]; projects?: string[]; parts?: string[] }) => ({
  features: new Set(given.features),
  projects: new Set(given.projects),
  parts: new Set(given.parts),
});

describe('the scope that is read again', () => {
  test.each([
    ['feature-strategy-update', { featureName: 'a', project: 'p' }, { features: ['a'] }],
    ['strategy-order-changed', { featureName: 'a', project: 'p' }, { features: ['a'] }],
    ['feature-project-change', { featureName: 'a', project: 'q' }, { features: ['a'] }],
    ['feature-favorited', { featureName: 'a' }, {}],
    ['project-updated', { project: 'p' }, { projects: ['p'] }],
    ['default-strategy-updated', { project: 'p' }, { projects: ['p'] }],
    ['segment-updated', { project: 'p' }, { parts: ['catalogue'] }],
    ['feature-type-updated', {}, { parts: ['catalogue'] }],
    ['strategy-updated', {}, { parts: ['catalogue'] }],
    ['user-created', {}, { parts: ['access'] }],
    ['api-token-deleted', { project: 'p' }, { parts: ['tokens'] }],
    ['addon-config-updated', {}, { parts: ['integrations'] }],
    ['application-created', {}, { parts: ['applications'] }],
  ])('after %s is limited to the affected resources', (type, about, expected) => {
    expect(scopeOf([event(type, about)])).toEqual(scope(expected));
  });

  test.each([
    ['environment-updated', {}],
    ['project-environment-removed', { project: 'p' }],
    ['project-environment-added', { project: 'p' }],
    ['features-imported', { project: 'p' }],
    ['tag-deleted', {}],
    ['tag-type-deleted', {}],
    ['feature-metadata-updated', {}],
    ['something-new', { featureName: 'a', project: 'p' }],
  ])('after %s is everything', (type, about) => {
    expect(scopeOf([event('feature-created', { featureName: 'b' }), event(type, about)])).toBe(
      'everything',
    );
  });
});
