import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { pages, type Visit } from './addresses.ts';
import { type Look, tourTest as test } from './tour.ts';

const wide: Look = ['light', 1440];
const narrow: Look = ['dark', 360];

/** Pages with most of the components have both looks. All four combinations of all pages are tested in axe.proof.ts. */
const inBothLooks = /^\/(login|projects\/[^/]+(\/features\/[^/]+)?|history.*)?$/;

/** Pages that together use all shared components. axe.proof.ts tests all pages and views. */
const various = new Set([
  '/login',
  '/',
  '/search',
  '/projects/web-shop/create-toggle',
  '/projects/web-shop',
  '/projects/web-shop/features/dark-mode',
  '/projects/web-shop/health',
  '/history?q=env:production&event=900',
  '/integrations/1',
  '/segments/edit/1',
  '/environments',
  '/admin/users',
  '/admin/api',
]);

/** Every other page keeps the look of the one before, because each change draws the page again. */
const toursOf = (isPublic: boolean) =>
  pages
    .filter(({ path, isPublic: isOpen = false }) => isOpen === isPublic && various.has(path))
    .map((page, nth): Visit & { looks: readonly Look[]; withFrame: boolean } => ({
      ...page,
      looks: inBothLooks.test(page.path) ? [wide, narrow] : [nth % 2 === 0 ? narrow : wide],
      withFrame: isPublic || nth === 0,
    }));

withBrowser('accessibility (axe) in light and dark, wide and narrow', () => {
  test.for(toursOf(true))('$path passes and fits when signed out', async (visit, { tour }) => {
    await tour.open(visit);
    for (const look of visit.looks) expect(await tour.faultsIn(look, visit)).toEqual([]);
  });

  test.for(toursOf(false))('$path passes and fits', async (visit, { tour }) => {
    await tour.open(visit);
    for (const look of visit.looks) expect(await tour.faultsIn(look, visit)).toEqual([]);
  });
});
