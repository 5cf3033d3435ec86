import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { pages, views } from './addresses.ts';
import { type Look, tourTest as test } from './tour.ts';

const looks: readonly Look[] = [
  ['light', 1440],
  ['dark', 1440],
  ['dark', 360],
  ['light', 360],
];

const visits = (isPublic: boolean) =>
  [...pages, ...views].filter((visit) => (visit.isPublic ?? false) === isPublic);

withBrowser('accessibility (axe) of every view in every look', () => {
  test.for(visits(true))('$path passes and fits when signed out', async (visit, { tour }) => {
    await tour.open(visit);
    for (const look of looks) expect(await tour.faultsIn(look, { withFrame: true })).toEqual([]);
  });

  test.for(visits(false))('$path passes and fits', async (visit, { tour }) => {
    await tour.open(visit);
    for (const look of looks) expect(await tour.faultsIn(look, { withFrame: true })).toEqual([]);
  });
});
