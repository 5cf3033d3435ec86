import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { pages, type Visit } from './addresses.ts';
import { type Look, tourTest as test } from './tour.ts';

const wide: Look = ['light', 1440];
const narrow: Look = ['dark', 360];

/** Pages with most of the components have both looks. All four combinations of all pages are tested in axe.proof.ts. */
const inBothLooks = /^\/(login|projects\/[^/]+(\/features\/[^/]+)?|history.*)?$/;

/** Lists and forms with the components of another page, which axe.proof.ts tests. */
const likeAnother = new Set([
  '/forgotten-password',
  '/unknown-flags',
  '/applications',
  '/integrations',
  '/segments',
  '/context',
  '/tag-types',
  '/feature-toggle-type',
  '/admin/roles',
  '/admin/groups',
  '/admin/service-accounts',
  '/admin/invite-link',
  '/admin/cors',
  '/admin/retention',
  '/admin/maintenance',
]);

/** Every other page keeps the look of the one before, because each change draws the page again. */
const toursOf = (isPublic: boolean) =>
  pages
    .filter(({ path, isPublic: isOpen = false }) => isOpen === isPublic && !likeAnother.has(path))
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
