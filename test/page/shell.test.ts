import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { featuresOn } from '../support/features.ts';
import { make } from '../support/make.ts';
import { goToLogByKeys, moveTo, pageTest } from '../support/page-test.ts';
import { goodPassword } from '../support/visitor.ts';

const test = pageTest();

withBrowser('the app shell', () => {
  test('guides a user from an empty installation to the first feature', async ({
    api,
    page,
    origin,
    visit,
  }) => {
    await visit('/');
    await page.getByText('Four steps to a first flag').waitFor();
    // The installation has tokens from its configuration.
    const done = page.getByRole('img', { name: 'done' });
    await expect.poll(() => done.count()).toBe(1);
    await make(api.ask).feature('first-flag');
    await expect.poll(() => done.count()).toBe(2);
    await page.getByText(`${origin}/api/client/features`).waitFor();
  });

  test('finds a feature with the keyboard', async ({ api, page, origin, visit }) => {
    for (const name of ['old-checkout', 'checkout-express', 'checkout'])
      await make(api.ask).feature(name);
    await visit('/history');
    await page.getByRole('heading', { level: 1, name: 'Event log' }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('dialog').getByLabel('Search or do');
    await field.waitFor();
    await page.getByRole('option', { name: 'Features g f' }).waitFor();
    await page.keyboard.type('checkout');
    const options = page.getByRole('option');
    // The best match is selected once the names have arrived.
    const chosen = page.locator('[data-combobox-selected]');
    await expect.poll(() => chosen.textContent()).toMatch(/^checkout(?!-)/);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => chosen.textContent()).toContain('checkout-express');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/projects/default/features/checkout-express`);
    await page.getByRole('heading', { level: 1, name: 'checkout-express' }).waitFor();
    expect(await page.title()).toBe('checkout-express · default · Burgee');

    // A feature that someone else has just created is found, too.
    await page.getByText('live', { exact: true }).waitFor();
    await make(api.ask).feature('made-meanwhile');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('made-meanwhile');
    await expect.poll(() => options.first().textContent()).toContain('made-meanwhile');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    // The last opened feature is first; Esc restores the focus.
    const switches = page.getByRole('switch').first();
    await switches.focus();
    await page.keyboard.press('Control+k');
    await expect.poll(() => options.first().textContent()).toContain('checkout-express');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("role")'))
      .toBe('switch');
  });

  test('toggles a feature from the command palette, and asks first in production', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('from-the-palette');
    await visit('/projects/default/features/from-the-palette');
    await page.getByRole('heading', { level: 1, name: 'from-the-palette' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('switch on in production');
    await page.getByRole('option', { name: 'Switch on in production' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Press Enter again').waitFor();
    expect(await featuresOn(api).isOn('from-the-palette', 'production')).toBe(false);
    await page.keyboard.press('Enter');
    await expect.poll(() => featuresOn(api).isOn('from-the-palette', 'production')).toBe(true);
  });

  test('continues an action after the user has signed in again', async ({ api, page, visit }) => {
    await make(api.ask).feature('kept');
    await visit('/projects/default/features/kept');
    const control = page.getByRole('switch', { name: 'kept in development' });
    await control.waitFor();
    // The session ends with this request. If it ended before, the page would ask first and change nothing.
    await page.route(
      '**/environments/development/on',
      async (route) => {
        await page.context().clearCookies();
        await route.continue();
      },
      { times: 1 },
    );
    await control.press('Space');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByRole('textbox', { name: 'Password' }).fill(goodPassword);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => featuresOn(api).isOn('kept', 'development')).toBe(true);
  });

  test('loads the new version when files of the old one are gone', async ({
    page,
    origin,
    visit,
  }) => {
    await visit('/');
    await page.getByText('live', { exact: true }).waitFor();
    await page.route('**/assets/event-log*.js', (route) => route.fulfill({ status: 404 }), {
      times: 1,
    });
    await goToLogByKeys(page, origin);
    await page.getByRole('heading', { level: 1, name: 'Event log' }).waitFor();
  });

  test('shows changes to followed features on Home, until the user unfollows them', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('watched-flag');
    const card = page.getByRole('region', { name: 'What you follow' });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const describe = (description: string) =>
      api.ask('PUT /api/admin/projects/default/features/watched-flag', {
        payload: { name: 'watched-flag', type: 'release', description },
      });
    const changes = card.getByRole('listitem').filter({ hasText: 'watched-flag' });

    // Viewers can follow, too.
    await visit('/', { rootRole: 3 });
    await card.getByText('Follow a feature or a project').waitFor();
    await moveTo(page, '/projects/default/features/watched-flag');
    await button('Follow').click();
    await button('Following').waitFor();
    await moveTo(page, '/');
    await expect.poll(() => changes.count()).toBe(1);
    await describe('Changed by somebody else');
    await expect.poll(() => changes.count()).toBe(2);
    await describe('Changed again');
    await expect.poll(() => changes.count()).toBe(3);

    // The account page has the same list. Without a mail server, e-mails cannot be chosen.
    await card.getByRole('link', { name: 'Choose' }).click();
    await page.getByText('Mail is not set up').waitFor();
    expect(await page.getByLabel('Daily').isDisabled()).toBe(true);
    await button('Unfollow watched-flag').click();
    await page.getByText('You follow nothing yet').waitFor();
    await moveTo(page, '/projects/default');
    await button('Follow').click();
    await button('Following').waitFor();
    await moveTo(page, '/profile?tab=following');
    await button('Unfollow Default').waitFor();
  });

  test('shows that Burgee is read-only in maintenance mode', async ({ api, page, visit }) => {
    await visit('/');
    await api.ask('POST /api/admin/maintenance', { payload: { enabled: true } });
    await page.getByText('read-only', { exact: true }).waitFor();
    await api.ask('POST /api/admin/maintenance', { payload: { enabled: false } });
    await page.getByText('live', { exact: true }).waitFor();
  });

  test('follows the color scheme of the system until the user chooses one, and remembers it', async ({
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
  });
});
