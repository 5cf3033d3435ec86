import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { launchBrowser, withBrowser } from '../support/browser.ts';
import { buildPage } from '../support/built-page.ts';
import { fillSignIn, type OpenedPage, openPage } from '../support/open-page.ts';
import { goodPassword, newcomer } from '../support/visitor.ts';

let on: TestApp;
let origin: string;
let browser: Browser | undefined;
let opened: OpenedPage;

beforeAll(async () => {
  buildPage();
  on = await testApp();
  origin = await on.app.listen({ port: 0, host: '127.0.0.1' });
  // Last, and so closed first: the server would wait for what a browser holds open.
  browser = await launchBrowser();
});

beforeEach(async () => {
  if (browser) opened = await openPage(browser);
});

afterEach(async () => {
  if (!browser) return;
  await opened.context.close();
  expect(opened.complaints).toEqual([]);
});

async function signIn(path: string): Promise<void> {
  const { username } = await newcomer(on, { rootRole: 1 });
  await opened.page.goto(`${origin}${path}`);
  await fillSignIn(opened.page, username);
  await opened.page.waitForURL(`${origin}${path}`);
}

const createFeature = (name: string) =>
  on.ask('POST /api/admin/projects/default/features', { payload: { name } });

const stateOf = async (name: string, environment: string): Promise<boolean> => {
  const feature = (await on.ask(`GET /api/admin/projects/default/features/${name}`)).json();
  return feature.environments.find((each: { name: string }) => each.name === environment).enabled;
};

withBrowser('the shell', () => {
  test('guides somebody from an empty installation to a first flag', async () => {
    const { page } = opened;
    await signIn('/');
    await page.getByText('Four steps to a first flag').waitFor();
    // The installation has tokens from its configuration.
    const done = page.getByRole('img', { name: 'done' });
    await expect.poll(() => done.count()).toBe(1);
    await createFeature('first-flag');
    await expect.poll(() => done.count()).toBe(2);
    await page.getByText(`${origin}/api/client/features`).waitFor();
  });

  test('finds a feature by the keyboard alone', async () => {
    const { page } = opened;
    for (const name of ['old-checkout', 'checkout-express', 'checkout']) await createFeature(name);
    await signIn('/history');
    await page.getByRole('heading', { level: 1, name: 'Event log' }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('dialog').getByLabel('Search or do');
    await field.waitFor();
    await page.keyboard.type('checkout');
    const options = page.getByRole('option');
    await expect.poll(() => options.first().textContent()).toContain('checkout');
    await page.keyboard.press('ArrowDown');
    const chosen = page.locator('[data-combobox-selected]');
    await expect.poll(() => chosen.textContent()).toContain('checkout-express');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/projects/default/features/checkout-express`);
    await page.getByRole('heading', { level: 1, name: 'checkout-express' }).waitFor();
    expect(await page.title()).toBe('checkout-express · default · Burgee');

    // What was opened last stands first; Esc gives the focus back.
    const switches = page.getByRole('switch').first();
    await switches.focus();
    await page.keyboard.press('Control+k');
    await expect.poll(() => options.first().textContent()).toContain('checkout-express');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('switch');
  });

  test('switches a feature from the palette, and asks first in production', async () => {
    const { page } = opened;
    await createFeature('from-the-palette');
    await signIn('/projects/default/features/from-the-palette');
    await page.getByRole('heading', { level: 1, name: 'from-the-palette' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('switch on in production');
    await page.getByRole('option', { name: 'Switch on in production' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Press Enter again').waitFor();
    expect(await stateOf('from-the-palette', 'production')).toBe(false);
    await page.keyboard.press('Enter');
    await expect.poll(() => stateOf('from-the-palette', 'production')).toBe(true);
  });

  test('goes on with what somebody did after they have signed in again', async () => {
    const { page, context } = opened;
    await createFeature('kept');
    await signIn('/projects/default/features/kept');
    const control = page.getByRole('switch', { name: 'kept in development' });
    await control.waitFor();
    await context.clearCookies();
    await control.press('Space');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByRole('textbox', { name: 'Password' }).fill(goodPassword);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => stateOf('kept', 'development')).toBe(true);
  });

  test('opens the new page when the files of the old one are gone', async () => {
    const { page } = opened;
    await signIn('/');
    await page.getByText('live', { exact: true }).waitFor();
    await page.route('**/assets/event-log*.js', (route) => route.fulfill({ status: 404 }), {
      times: 1,
    });
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.waitForURL(`${origin}/history`);
    await page.getByRole('heading', { level: 1, name: 'Event log' }).waitFor();
  });

  test('is read-only in maintenance, and says so', async () => {
    const { page } = opened;
    await signIn('/');
    await on.ask('POST /api/admin/maintenance', { payload: { enabled: true } });
    await page.getByText('read-only', { exact: true }).waitFor();
    await on.ask('POST /api/admin/maintenance', { payload: { enabled: false } });
    await page.getByText('live', { exact: true }).waitFor();
  });
});
