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

test('a plan lists only steps that change something', () => {
  expect(planSteps(nothing, 'production')).toEqual([]);
  expect(
    planSteps(
      {
        ...nothing,
        featuresCreated: ['a'],
        strategiesRemoved: [
          { featureName: 'b', id: '1', name: 'default' },
          { featureName: 'c', id: '2', name: 'default' },
        ],
        switchedOn: ['a'],
      },
      'production',
    ).map(({ text }) => text),
  ).toEqual(['1 feature created', '2 strategies removed', '1 feature switched on in production']);
});

test.each([
  ['{', /^Invalid JSON/],
  ['[]', /no list of features/],
  ['{"projects":[]}', /no list of features/],
])('rejects %s as a document', (text, reason) => {
  expect(readDocument(text)).toEqual({ fault: expect.stringMatching(reason) });
});
