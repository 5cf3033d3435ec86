import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startSdk } from '../sdk/server-sdk.ts';
import { appOn } from '../support/app.ts';
import { faultsOf } from '../support/axe.ts';
import { patienceMs, withBrowser } from '../support/browser.ts';
import { featuresOn } from '../support/features.ts';
import { freePort } from '../support/free-port.ts';
import { make } from '../support/make.ts';
import { fillSignIn, moveTo, pageTest } from '../support/page-test.ts';
import { cookieOf, goodPassword, logIn, newcomer } from '../support/visitor.ts';

const test = pageTest();

const toggle = (page: Page, name: string) => page.getByRole('switch', { name }).click();

const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth');

withBrowser('the UI', () => {
  test('leads a new user from sign-in to a feature that is enabled in an SDK', async ({
    api,
    page,
    origin,
  }) => {
    const { username } = await newcomer(api, { rootRole: 2 });
    await page.goto(origin);
    await fillSignIn(page, username);
    await page.getByText('Four steps to a first flag').waitFor();
    await page.getByRole('link', { name: 'Features' }).click();
    await page.getByText('No feature yet').waitFor();
    await page.getByText(`${origin}/api/admin/projects/default/features`).waitFor();
    await page.getByRole('button', { name: 'New feature' }).first().click();
    await page.getByLabel('Name').fill('no blanks');
    await page.getByText('A name has no blanks').waitFor();
    await page.getByLabel('Name').fill('first-flag');
    await page.getByRole('img', { name: 'The name is free' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel('development').check();
    await page.getByRole('button', { name: 'Create feature' }).click();
    await page.getByText('first-flag is created').waitFor();
    await page.waitForURL(`${origin}/projects/default/features/first-flag`);
    const { unleash, errors } = await startSdk(origin);
    expect([unleash.isEnabled('first-flag'), errors]).toEqual([true, []]);
  });

  test('asks to sign in and then shows the requested page', async ({ api, page, origin }) => {
    await make(api.ask).feature('asked-for');
    const { username } = await newcomer(api);
    await page.goto(`${origin}/search?query=asked`);
    await fillSignIn(page, username);
    await page.waitForURL(`${origin}/search?query=asked`);
    await page.getByRole('link', { name: 'asked-for' }).click();
    await page.waitForURL(`${origin}/projects/default/features/asked-for`);
    await page.getByRole('heading', { name: 'asked-for', level: 1 }).waitFor();
    const open = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]');
    await expect.poll(() => open.allInnerTexts()).toEqual(['Features']);
  });

  test('enables a feature at once and undoes it', async ({ api, page, visit }) => {
    await make(api.ask).feature('switched');
    await visit('/search?query=switched');
    await toggle(page, 'switched in development');
    await page.getByText('switched is on in development').waitFor();
    // The notification stays while the pointer is on it.
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.hover();
    await expect.poll(() => featuresOn(api).isOn('switched', 'development')).toBe(true);
    // It is accessible, too.
    expect(await faultsOf(page)).toEqual([]);
    await undo.click();
    await expect.poll(() => featuresOn(api).isOn('switched', 'development')).toBe(false);
  });

  test('reverts a switch that the server rejects and shows the id of the error', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('refused');
    await visit('/search?query=refused');
    await page.route('**/environments/development/on', (route) =>
      route.fulfill({ status: 500, json: { id: 'error-of-the-test', message: 'It broke' } }),
    );
    await toggle(page, 'refused in development');
    await page.getByText('Nothing was changed').waitFor();
    await page.getByText('It broke').waitFor();
    await page.getByText('error-of-the-test').waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).waitFor();
    const control = page.getByRole('switch', { name: 'refused in development' });
    await expect.poll(() => control.isChecked()).toBe(false);
  });

  test('asks for confirmation in production, and undoes a mistake', async ({
    api,
    page,
    visit,
  }) => {
    const isOn = () => featuresOn(api).isOn('careful', 'production');
    await make(api.ask).feature('careful');
    await visit('/search?query=careful');
    await toggle(page, 'careful in production');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'hidden' });
    expect(await isOn()).toBe(false);
    await page.getByRole('switch', { name: 'careful in production' }).press('Space');
    await page.getByRole('button', { name: 'Switch on' }).press('Enter');
    await page.getByText('careful is on in production').waitFor();
    await page.getByText('On for everybody').waitFor();
    await expect.poll(isOn).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(isOn).toBe(false);
    const control = page.getByRole('switch', { name: 'careful in production' });
    await expect.poll(() => control.isChecked()).toBe(false);
    // The mistake and its undo are both in the log, newest first.
    const { events } = (
      await api.ask('GET /api/admin/search/events?feature=IS:careful&environment=IS:production')
    ).json();
    expect(events.slice(0, 2).map(({ type }: { type: string }) => type)).toEqual([
      'feature-environment-disabled',
      'feature-environment-enabled',
    ]);
  });

  test('shows changes by others without a reload', async ({ api, page, visit }) => {
    await make(api.ask).feature('watched');
    await visit('/projects/default/features/watched');
    await page.getByText('live', { exact: true }).waitFor();
    const control = page.getByRole('switch', { name: 'watched in development' });
    expect(await control.isChecked()).toBe(false);
    await make(api.ask).switchedOn('watched');
    await expect.poll(() => control.isChecked()).toBe(true);
    await page.getByText('switched on').first().waitFor();
  });

  test('reconnects to a restarted server and updates without a reload', async ({
    api,
    page,
    signIn,
  }) => {
    await make(api.ask).feature('steady');
    await signIn();
    const server = await appOn(api);
    const place = { port: await freePort(), host: '127.0.0.1' };
    const address = await server.app.listen(place);
    await page.goto(`${address}/projects/default/features/steady`);
    await page.getByText('live', { exact: true }).waitFor();
    const control = page.getByRole('switch', { name: 'steady in development' });
    expect(await control.isChecked()).toBe(false);
    await page.evaluate('window.isStillThis = true');

    await server.app.close();
    await page.getByText('reconnecting…').waitFor();
    // Another instance makes this change while the page is disconnected.
    await make(api.ask).switchedOn('steady');
    // A page whose file must be loaded waits for the server.
    await page.getByRole('button', { name: 'Clone…' }).click();
    const restarted = await appOn(api);
    await restarted.app.listen(place);
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByRole('dialog', { name: /Clone/ }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => control.isChecked()).toBe(true);
    await toggle(page, 'steady in development');
    await expect.poll(() => featuresOn(api).isOn('steady', 'development')).toBe(false);
    expect(await page.evaluate('window.isStillThis')).toBe(true);
  });

  test('reports that it is offline, and opens the requested page when it is back', async ({
    api,
    browser,
    origin,
  }) => {
    // A separate page, because the browser keeps the files that other tests loaded.
    const context = await browser.newContext();
    context.setDefaultTimeout(patienceMs);
    const page = await context.newPage();
    const [name = '', value = ''] = cookieOf(await logIn(api, await newcomer(api))).split('=');
    await context.addCookies([{ name, value, url: origin }]);
    await page.goto(`${origin}/profile`);
    await page.getByText('live', { exact: true }).waitFor();
    await page.evaluate('window.isStillThis = true');
    await context.setOffline(true);
    await page.getByText('reconnecting…').waitFor();
    // Its file was never loaded.
    await page.getByRole('link', { name: 'Event log' }).press('Enter');
    await page.waitForURL(`${origin}/history`);
    await page.getByLabel('Loading').first().waitFor();
    await context.setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Event log' }).waitFor();
    await page.getByText('live', { exact: true }).waitFor();
    expect(await page.evaluate('window.isStillThis')).toBe(true);
    await context.close();
  });

  test('disables what a viewer may not do, and says why', async ({ api, page, visit }) => {
    await make(api.ask).feature('read-only');
    await visit('/search?query=read-only', { rootRole: 3 });
    const control = page.getByRole('switch', { name: 'read-only in development' });
    await control.waitFor();
    expect(await control.isDisabled()).toBe(true);
    const create = page.getByRole('button', { name: 'New feature' });
    expect(await create.getAttribute('aria-disabled')).toBe('true');
    await create.hover();
    await page.getByText('You need the permission CREATE_FEATURE').waitFor();
    const reason = page.getByText('You need the permission UPDATE_FEATURE_ENVIRONMENT');
    await control.hover();
    await reason.waitFor();
    // Also by keyboard.
    await page.keyboard.press('Escape');
    await reason.waitFor({ state: 'hidden' });
    await control.focus();
    await reason.waitFor();
    await page.keyboard.press('Space');
    expect(await control.isChecked()).toBe(false);

    await page.getByRole('checkbox', { name: 'Select read-only' }).check();
    const archive = page.getByRole('button', { name: 'Archive…' });
    expect(await archive.getAttribute('aria-disabled')).toBe('true');
    await archive.hover();
    await page.getByText('You need the permission DELETE_FEATURE').waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    const move = page.getByRole('menuitem', { name: 'Move to another project…' });
    expect(await move.getAttribute('aria-disabled')).toBe('true');
  });

  test('asks to sign in again on the same page when the session has ended', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('typed');
    await visit('/history');
    await page.getByLabel('Search events').fill('typed');
    await page.getByText(/events? match/).waitFor();
    await page.context().clearCookies();
    await page.getByLabel('Search events').fill('typed-more');
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Password' }).fill(goodPassword);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await page.getByLabel('Search events').inputValue()).trim()).toBe('typed-more');
  });

  test('fits on a phone, where a feature is found, opened and enabled', async ({
    api,
    page,
    visit,
  }) => {
    const name = 'a-rather-long-name-for-a-feature-on-a-small-screen';
    await make(api.ask).feature(name);
    await page.setViewportSize({ width: 360, height: 740 });
    await visit('/');
    await page.getByRole('heading', { name: /^(Hello|Good)/, level: 1 }).waitFor();
    expect(await widthOf(page)).toBe(360);
    await page.getByRole('button', { name: 'Navigation', exact: true }).click();
    await page.getByRole('link', { name: 'Features' }).click();
    await page.getByRole('link', { name, exact: true }).waitFor();
    expect(await widthOf(page)).toBe(360);
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    expect(await widthOf(page)).toBe(360);
    await toggle(page, `${name} in development`);
    await expect.poll(() => featuresOn(api).isOn(name, 'development')).toBe(true);

    // A long name without a break, and project pages that do not fit side by side.
    const long = 'W'.repeat(60);
    await make(api.ask).project('long', { name: long });
    await make(api.ask).feature('in-long', { project: 'long' });
    await moveTo(page, '/projects/long/features/in-long');
    await page.getByRole('link', { name: long }).waitFor();
    expect(await widthOf(page)).toBe(360);
    await moveTo(page, '/projects/long/settings/import-export');
    for (const open of ['Settings', 'Import and export']) {
      const link = page.getByRole('link', { name: open });
      await expect
        .poll(async () => {
          const { x = 0, width = 360 } = (await link.boundingBox()) ?? {};
          return x >= 0 && x + width <= 361;
        })
        .toBe(true);
    }
    expect(await widthOf(page)).toBe(360);
  });
});
