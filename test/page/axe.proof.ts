import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { wcag } from '../support/axe.ts';
import { withBrowser } from '../support/browser.ts';
import { pages, type Visit, views } from './addresses.ts';
import { type Look, tourTest as test } from './tour.ts';

const looks: readonly Look[] = [
  ['light', 1440],
  ['dark', 1440],
  ['dark', 360],
  ['light', 360],
];

const visits = (isPublic: boolean) =>
  [...pages, ...views].filter((visit) => (visit.isPublic ?? false) === isPublic);

interface Opened extends Visit {
  readonly what: string;
  readonly open: (page: Page) => Promise<void>;
}

async function openBulkMenu(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select all' }).click();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Change owner…' }).waitFor();
}

/** Menus and dialogs that are longer than the window. */
const opened: readonly Opened[] = [
  { what: 'more bulk actions', path: '/search', heading: 'Features', open: openBulkMenu },
  {
    what: 'the owners in a bulk action',
    path: '/search',
    heading: 'Features',
    open: async (page) => {
      await openBulkMenu(page);
      await page.getByRole('menuitem', { name: 'Change owner…' }).click();
      await page.getByRole('combobox', { name: 'Owner' }).click();
      await page.getByRole('option', { name: 'No owner' }).waitFor();
    },
  },
  {
    what: 'the owners of a feature',
    path: '/projects/web-shop/features/dark-mode',
    heading: 'dark-mode',
    open: async (page) => {
      await page.getByRole('combobox', { name: 'Owner' }).click();
      await page.getByRole('option', { name: 'Ada Holm' }).waitFor();
    },
  },
  {
    what: 'the command palette',
    path: '/projects',
    heading: 'Projects',
    open: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('option', { name: 'Sign out' }).waitFor();
      const field = { name: 'Search or run a command', expanded: true };
      await page.getByRole('combobox', field).waitFor();
    },
  },
];

withBrowser('accessibility (axe) in every color scheme and width', () => {
  test.for(visits(true))(
    '$path passes and fits the window when signed out',
    async (visit, { tour }) => {
      await tour.open(visit);
      for (const look of looks) expect(await tour.faultsIn(look, { withFrame: true })).toEqual([]);
    },
  );

  test.for(visits(false))('$path passes and fits the window', async (visit, { tour }) => {
    await tour.open(visit);
    for (const look of looks) expect(await tour.faultsIn(look, { withFrame: true })).toEqual([]);
  });

  test.for(opened)('$what passes and fits the window', async ({ open, ...visit }, { tour }) => {
    await tour.page.setViewportSize({ width: 1440, height: 800 });
    await tour.open(visit);
    await open(tour.page);
    for (const look of looks) {
      // Landmarks are those of the page below.
      expect(await tour.faultsIn(look, { runOnly: wcag })).toEqual([]);
    }
    await tour.page.keyboard.press('Escape');
    await tour.page.keyboard.press('Escape');
  });
});
