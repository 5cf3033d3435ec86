import { expect, test } from 'vitest';
import { cataloguePages } from './catalogue-pages.ts';

test('the navigation of Configure has two groups of three pages', () => {
  expect(cataloguePages.map(({ group, label }) => `${group}: ${label}`)).toEqual([
    'Targeting: Segments',
    'Targeting: Context fields',
    'Targeting: Strategy types',
    'Setup: Environments',
    'Setup: Feature types',
    'Setup: Tag types',
  ]);
});
