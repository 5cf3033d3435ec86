import type { ConsoleMessage } from 'playwright-core';
import { expect } from 'vitest';
import { faultsOf, faultsOnPhone, wcag } from '../support/axe.ts';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import {
  goToLogByKeys,
  moveTo,
  pageTest,
  selectedInPalette,
  typeInPalette,
  untilLive,
} from '../support/page-test.ts';

const test = pageTest();

withBrowser('the app shell', () => {
  test('loads the new version when files of the old one are gone', async ({
    page,
    origin,
    visit,
  }) => {
    await visit('/');
    await untilLive(page);
    await page.route('**/assets/event-log*.js', (route) => route.fulfill({ status: 404 }), {
      times: 1,
    });
    await goToLogByKeys(page, origin);
    await page.getByRole('heading', { level: 1, name: 'Event log' }).waitFor();
  });

  test('a tab in the background reads what has changed when it is shown again', async ({
    api,
    page,
    visit,
  }) => {
    const setHidden = (isHidden: boolean) =>
      page.evaluate(`
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
        Object.defineProperty(document, 'visibilityState', {
          configurable: true,
          get: () => ${isHidden ? "'hidden'" : "'visible'"},
        });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await make(api.ask).feature('tab-shown');
    await visit('/search?query=tab-');
    await page.getByRole('link', { name: 'tab-shown' }).waitFor();
    await untilLive(page);
    await setHidden(true);
    await make(api.ask).feature('tab-hidden');
    await setHidden(false);
    await page.getByRole('link', { name: 'tab-hidden' }).waitFor();
  });

  test('Home names archived projects, and does not link to them', async ({ api, page, visit }) => {
    await make(api.ask).project('old-shop', { name: 'Old shop' });
    await visit('/projects/old-shop');
    await page.getByRole('heading', { level: 1, name: 'Old shop' }).waitFor();
    await moveTo(page, '/');
    const viewed = page.getByRole('region', { name: 'Recently viewed' });
    await viewed.getByText('Old shop').waitFor();
    await api.ask('POST /api/admin/projects/archive/old-shop');
    await page
      .getByRole('region', { name: 'Recent activity' })
      .getByText('archived project Old shop')
      .waitFor();
    await viewed.getByText('Old shop').waitFor({ state: 'hidden' });
  });

  test('remembers the color scheme, shows maintenance mode, and opens its navigation on a phone', async ({
    api,
    page,
    visit,
  }) => {
    const shown = () =>
      page.evaluate('document.documentElement.getAttribute("data-mantine-color-scheme")');
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit('/');
    const theme = page.getByRole('button', { name: 'Theme' });
    await theme.waitFor();
    expect(await shown()).toBe('dark');
    await theme.click();
    await page.getByRole('menuitem', { name: 'Light' }).click();
    await expect.poll(shown).toBe('light');
    await page.reload();
    await theme.waitFor();
    expect(await shown()).toBe('light');

    // So is the time zone, which all pages say. What is typed stays.
    await moveTo(page, '/history');
    await page.getByRole('heading', { name: /^Today · .*\d$/ }).waitFor();
    const bar = page.getByPlaceholder(/^Search or filter/);
    await bar.fill('type:feature-');
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Show times in UTC' }).click();
    const zone = page.getByText('UTC', { exact: true });
    await zone.waitFor();
    await page.getByRole('heading', { name: /^Today · .* · UTC$/ }).waitFor();
    expect(await bar.inputValue()).toBe('type:feature-');
    await page.reload();
    await zone.waitFor();
    await typeInPalette(page, 'local time');
    await selectedInPalette(page, 'Show times in local time').waitFor();
    await page.keyboard.press('Enter');
    await zone.waitFor({ state: 'hidden' });

    await api.ask('POST /api/admin/maintenance', { payload: { enabled: true } });
    await page.getByText('Read-only', { exact: true }).waitFor();
    await api.ask('POST /api/admin/maintenance', { payload: { enabled: false } });
    await page.getByText('Read-only', { exact: true }).waitFor({ state: 'hidden' });

    // The list of pages is in the same place on long and on short ones.
    const placeOn = async (path: string, name: string) => {
      await moveTo(page, path);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      return (await page.getByRole('navigation', { name: 'Administration' }).boundingBox())?.y;
    };
    expect(await placeOn('/admin/roles/2', 'Editor')).toBe(
      await placeOn('/admin/instance', 'Instance'),
    );

    // On a phone the navigation is behind a button.
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('link', { name: 'Features' }).click();
    await page.getByRole('heading', { level: 1, name: 'Features' }).waitFor();
  });

  test('shows changes to followed features on Home, until the user unfollows them', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('watched-flag');
    const card = page.getByRole('region', { name: 'Following' });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const describe = (description: string) =>
      api.ask('PUT /api/admin/projects/default/features/watched-flag', {
        payload: { name: 'watched-flag', type: 'release', description },
      });
    const changes = card.getByRole('listitem').filter({ hasText: 'watched-flag' });

    // Viewers can follow, too.
    await visit('/', { rootRole: 3 });
    await card.getByText('Follow a feature or project').waitFor();
    await moveTo(page, '/projects/default/features/watched-flag');
    await button('Follow').click();
    await button('Following').waitFor();
    await moveTo(page, '/');
    await expect.poll(() => changes.count()).toBe(1);
    await describe('Changed by someone else');
    await expect.poll(() => changes.count()).toBe(2);
    await describe('Changed again');
    await expect.poll(() => changes.count()).toBe(3);

    // The bell has them, too, but not what happened before the follow.
    await page.getByRole('button', { name: 'Notifications, 2 unread' }).click();
    const list = page.getByRole('list', { name: 'Notifications, newest first' });
    await expect.poll(() => list.getByRole('listitem').count()).toBe(2);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);
    }
    await list.getByRole('link', { name: 'watched-flag' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'watched-flag' }).waitFor();
    await list.waitFor({ state: 'hidden' });
    await moveTo(page, '/');

    // The account page has the same list. Without a mail server, emails can't be chosen.
    await card.getByRole('link', { name: 'Manage' }).click();
    await page.getByText("Email isn't set up on this server").waitFor();
    expect(await page.getByLabel('Daily').isDisabled()).toBe(true);
    await button('Unfollow watched-flag').click();
    await page.getByText("You're not following anything yet").waitFor();
    await moveTo(page, '/projects/default');
    await button('Follow').click();
    await button('Following').waitFor();
    await moveTo(page, '/profile?tab=following');
    await button('Unfollow Default').waitFor();
  });

  test('notifications show what others changed in features that the user follows', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('checkout-express');
    await visit('/projects/default/features/checkout-express');
    await untilLive(page);
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByRole('button', { name: 'Following', exact: true }).waitFor();
    await api.ask('PUT /api/admin/projects/default/features/checkout-express', {
      payload: { name: 'checkout-express', type: 'release', description: 'Faster' },
    });
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).press('Enter');
    const notifications = page.getByRole('dialog', { name: 'Notifications' });
    await notifications.getByText('Unread: ').waitFor();
    // Escape closes them even while no control inside has the focus, as during the request.
    let respond = () => {};
    await page.route('**/api/admin/user/follows/notifications/read', async (route) => {
      await new Promise<void>((resolve) => {
        respond = resolve;
      });
      await route.continue();
    });
    const asked = page.waitForRequest('**/api/admin/user/follows/notifications/read');
    await notifications.getByRole('button', { name: 'Mark all as read' }).press('Enter');
    await asked;
    await page.waitForFunction('document.activeElement === document.body');
    await page.keyboard.press('Escape');
    await notifications.waitFor({ state: 'hidden' });
    respond();
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
  });

  test('keeps the navigation for URLs and projects that do not exist, and logs no errors', async ({
    api,
    page,
    visit,
  }) => {
    const errors: string[] = [];
    const onConsole = (message: ConsoleMessage) => {
      // The browser itself reports each response with 404.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        errors.push(message.text());
    };
    page.on('console', onConsole);
    const heading = (name: string) => page.getByRole('heading', { level: 1, name });
    await make(api.ask).project('sealed', { mode: 'private' });
    await visit('/no/such/page', { rootRole: 3 });
    await heading('Page not found').waitFor();
    expect(await page.title()).toBe('Page not found · Burgee');
    await page.getByRole('navigation', { name: 'Main' }).getByText('Features').waitFor();
    await moveTo(page, '/projects/none');
    await heading('Project not found').waitFor();
    await page.getByRole('link', { name: 'All projects' }).click();
    await heading('Projects').waitFor();
    await moveTo(page, '/projects/sealed');
    await heading('Project not found').waitFor();
    await page.getByText('Ask an owner of the project or an admin for access').waitFor();
    await moveTo(page, '/environments/edit/none');
    await page.getByRole('dialog').getByText('Environment none may have been deleted').waitFor();
    await page.getByRole('button', { name: 'All environments' }).click();
    await moveTo(page, '/admin/roles/1');
    await page.getByRole('heading', { name: "You don't have access to this page" }).waitFor();
    await moveTo(page, '/projects/default/features/none');
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.title()).toBe('none · Default · Burgee');
    expect(await faultsOnPhone(page)).toEqual([]);
    expect(errors).toEqual([]);
    page.off('console', onConsole);
  });
});
