import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { faultsOf, wcag } from '../support/axe.ts';
import { withBrowser } from '../support/browser.ts';
import { demoApp } from '../support/demo-app.ts';
import { moveTo, pageTest } from '../support/page-test.ts';

const test = pageTest(demoApp);

const click = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first().click();

const feature = '/projects/web-shop/features/dark-mode';

interface OpenState {
  readonly what: string;
  readonly path: string;
  readonly open: (page: Page) => Promise<unknown>;
  /** Something in what has opened. */
  readonly shows: string;
}

const focusFirstRow = async (page: Page) => {
  await page.getByRole('switch').first().waitFor();
  await page.keyboard.press('j');
};

/** What opens on a page and has no address of its own. */
const states: readonly OpenState[] = [
  {
    what: 'the views of the feature list',
    path: '/search?state=stale',
    open: (page) => click(page, 'Views'),
    shows: 'Save as new view…',
  },
  {
    what: 'the form of a view',
    path: '/search?state=stale',
    open: async (page) => {
      await click(page, 'Views');
      await page.getByRole('menuitem', { name: 'Save as new view…' }).click();
    },
    shows: 'Share with everyone',
  },
  {
    what: 'the views of the event log',
    path: '/history?q=env:production',
    open: (page) => click(page, 'Views'),
    shows: 'Access changes',
  },
  {
    what: 'the switches of a row',
    path: '/search',
    open: async (page) => {
      await focusFirstRow(page);
      await page.keyboard.press('s');
    },
    shows: 'Enable or disable',
  },
  {
    what: 'the question before a change in production',
    path: feature,
    open: (page) => page.getByRole('switch', { name: 'dark-mode in production' }).click(),
    shows: 'Cancel',
  },
  {
    what: 'the palette with the switches of a feature',
    path: '/search',
    open: async (page) => {
      await focusFirstRow(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search or run a command' }).fill('dark-mode');
    },
    shows: 'able in production',
  },
  {
    what: 'the notifications',
    path: '/search',
    open: (page) => click(page, /^Notifications/),
    shows: 'Manage notifications',
  },
  {
    what: 'the owners of a feature',
    path: feature,
    open: (page) => page.getByRole('combobox', { name: 'Owner' }).click(),
    shows: '(you)',
  },
  {
    what: 'the move of a feature',
    path: feature,
    open: async (page) => {
      await click(page, 'Actions for dark-mode');
      await page.getByRole('menuitem', { name: 'Move to project…' }).click();
    },
    shows: 'Project',
  },
  {
    what: 'the form of a token in the code of a feature',
    path: `${feature}?tab=code`,
    open: (page) => click(page, 'Create token'),
    shows: 'Cancel',
  },
  {
    what: 'the plan of a revert',
    path: '/history',
    open: async (page) => {
      await openNewest(page);
      await page.getByRole('button', { name: /^Revert event #/ }).click();
    },
    shows: 'shown in the event log',
  },
  {
    what: 'the selection of events',
    path: '/history',
    open: async (page) => {
      await click(page, 'Select');
      await page.getByRole('checkbox').first().check();
    },
    shows: 'Revert…',
  },
];

/** The events of the demo are older than its history, so that there is a new one to revert. */
async function openNewest(page: Page): Promise<void> {
  const path = '/api/admin/projects/web-shop/features/wishlists/environments/development/';
  await page.evaluate(
    `fetch('${path}off', { method: 'POST' }).then(() => fetch('${path}on', { method: 'POST' }))`,
  );
  await moveTo(page, '/profile');
  await moveTo(page, '/history?q=feature:wishlists');
  await page
    .getByRole('button', { name: /^Open event/ })
    .first()
    .click();
}

/** The arrow keys of a field scroll its options. axe only knows that of a list that scrolls itself. */
const isOfOptions = (fault: string) =>
  /^scrollable-region-focusable: [^>]*mantine-ScrollArea-viewport/.test(fault);

withBrowser('accessibility (axe) of dialogs, menus and forms', () => {
  test.for(states)(
    '$what passes and fits the window in every color scheme and width',
    async (state, { page, visit }) => {
      await visit('/profile');
      await page.getByRole('heading', { level: 1 }).waitFor();
      for (const [colorScheme, width] of [
        ['light', 1280],
        ['dark', 1280],
        ['dark', 360],
        ['light', 360],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        // What was open on the page before is closed.
        await moveTo(page, '/profile');
        await moveTo(page, state.path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await state.open(page);
        const shown = page.getByText(state.shows).last();
        await shown.waitFor();
        const faults = await faultsOf(page, { runOnly: wcag });
        expect(faults.filter((fault) => !isOfOptions(fault))).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        const { x = -1, width: own = 0 } = (await shown.boundingBox()) ?? {};
        expect(x >= 0 && x + own <= width).toBe(true);
        await page.keyboard.press('Escape');
      }
    },
  );
});
