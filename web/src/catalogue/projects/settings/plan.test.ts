import { expect, test } from 'vitest';
import { type Plan, planSteps, readDocument } from './plan.ts';

const nothing: Plan = {
  featuresCreated: [],
  featuresUpdated: [],
  featuresUnchanged: [],
  strategiesAdded: [],
  strategiesRemoved: [],
  variantsSet: [],
  switchedOn: [],
  switchedOff: [],
  tagsAdded: [],
  dependenciesSet: [],
  contextFieldsCreated: [],
  tagTypesCreated: [],
};

const some: Plan = {
  ...nothing,
  featuresCreated: ['a'],
  strategiesRemoved: [
    { featureName: 'b', id: '1', name: 'default' },
    { featureName: 'c', id: '2', name: 'default' },
  ],
  variantsSet: ['a', 'b'],
  switchedOn: ['a'],
  dependenciesSet: [{ featureName: 'a', parent: 'b' }],
};

test('the plan of an import lists only steps that change something', () => {
  expect(planSteps(nothing, 'production')).toEqual([]);
});

test('the preview of an import says what it will do, removals first', () => {
  const steps = planSteps(some, 'production');
  expect(steps.map(({ text }) => text)).toEqual([
    'Remove 2 strategies',
    'Create 1 feature',
    'Update variants of 2 features',
    'Enable 1 feature in production',
    'Set 1 dependency',
  ]);
  expect(steps.filter(({ removes }) => removes).map(({ items }) => items)).toEqual([
    ['b: default', 'c: default'],
  ]);
});

test('the result of an import says what it did', () => {
  expect(planSteps(some, 'production').map(({ done }) => done)).toEqual([
    '2 strategies removed',
    '1 feature created',
    'Variants of 2 features updated',
    '1 feature enabled in production',
    '1 dependency set',
  ]);
});

test.each([
  ['{', /^Invalid JSON/],
  ['[]', /features list is missing/],
  ['{"projects":[]}', /features list is missing/],
])('an import rejects the document %s', (text, reason) => {
  expect(readDocument(text)).toEqual({ fault: expect.stringMatching(reason) });
});
