import { describe, expect, test } from 'vitest';
import {
  countsText,
  deletability,
  deletionTitle,
  impactText,
  type Uses,
  usedByFeatures,
  usedInConstraints,
  usesText,
} from './words.ts';

const unused: Uses = {
  features: [],
  featureCount: 0,
  enabledFeatureCount: 0,
  projects: [],
  segments: [],
};
const segment = { id: 1, name: 'Nordics' };
const project = { id: 'shop', name: 'Shop', archived: false, environments: [] };

describe('usage', () => {
  test.each([
    [unused, 'no features in projects you can access'],
    [{ ...unused, featureCount: 1 }, '1 feature'],
    [{ ...unused, featureCount: 3, segments: [segment] }, '3 features and 1 segment'],
    [
      { ...unused, featureCount: 1_200, segments: [segment], projects: [project, project] },
      '1,200 features, 1 segment, and 2 projects',
    ],
  ])('is shown without zero counts: %#', (uses, text) => {
    expect(usesText(uses)).toBe(text);
  });

  test('is empty if every count is zero', () => {
    expect(countsText([0, 'legal value'], [0, 'strategy', 'strategies'])).toBe('');
  });

  test.each([
    [0, 'Not used by any feature'],
    [1, 'Used by 1 feature'],
    [2, 'Used by 2 features'],
  ])('by %i features is shown as "%s"', (count, text) => {
    expect(usedByFeatures(count)).toBe(text);
  });

  test.each([
    [0, 'Not used in constraints'],
    [1, 'Used in constraints of 1 feature'],
  ])('of a context field in constraints of %i features is shown as "%s"', (count, text) => {
    expect(usedInConstraints(count)).toBe(text);
  });
});

describe('the impact of a change to a segment', () => {
  test.each([
    [1, 1, '1 feature enabled. Targeting changes as soon as you save.'],
    [4, 2, '2 features enabled. Targeting changes as soon as you save.'],
    // None of the listed features, which are cut at 100, but one of the others.
    [101, 1, '1 feature enabled. Targeting changes as soon as you save.'],
    [3, 0, 'None are enabled in projects you can access.'],
    [0, 0, ''],
  ])(
    'on %i features, %i of them enabled, is shown as "%s"',
    (featureCount, enabledFeatureCount, text) => {
      const uses = { ...unused, featureCount, enabledFeatureCount };
      expect(impactText(uses)).toBe(text);
      expect(impactText(uses, true)).toBe(
        text.replace('as soon as you save', 'when the change request is applied'),
      );
    },
  );
});

describe('the title of a delete dialog', () => {
  const error = new Error('The server is not responding');
  test.each([
    ['while usage is loading', undefined, null, 'Delete Nordics?'],
    ['without usage', unused, null, 'Delete Nordics?'],
    ['with usage', { ...unused, featureCount: 1 }, null, "Can't delete Nordics"],
    ['if usage could not be loaded', undefined, error, "Couldn't check usage"],
    ['if usage could not be loaded again', unused, error, 'Delete Nordics?'],
  ])('says whether deletion is possible %s', (_, blockers, failure, title) => {
    expect(deletionTitle('Nordics', deletability(blockers, failure))).toBe(title);
  });
});
