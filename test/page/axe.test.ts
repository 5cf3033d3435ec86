import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { pages, type Visit } from './addresses.ts';
import { type Look, tourTest as test } from './tour.ts';

/** All four combinations, and more views of the pages, are tested in axe.proof.ts. */
const looks: readonly [Look, Look] = [
  ['light', 1440],
  ['dark', 360],
];

/** Every other page begins in the look in which the one before ended: each change draws the page again. */
const toursOf = (isPublic: boolean) =>
  pages
    .filter((page) => (page.isPublic ?? false) === isPublic)
    .map((page, nth): Visit & { order: readonly Look[]; withFrame: boolean } => ({
      ...page,
      order: nth % 2 === 0 ? looks : [looks[1], looks[0]],
      withFrame: isPublic || nth === 0,
    }));

withBrowser('accessibility (axe) in light and dark, wide and narrow', () => {
  test.for(toursOf(true))('$path passes and fits when signed out', async (visit, { tour }) => {
    await tour.open(visit);
    for (const look of visit.order) expect(await tour.faultsIn(look, visit)).toEqual([]);
  });

  test.for(toursOf(false))('$path passes and fits', async (visit, { tour }) => {
    await tour.open(visit);
    for (const look of visit.order) expect(await tour.faultsIn(look, visit)).toEqual([]);
  });
});
