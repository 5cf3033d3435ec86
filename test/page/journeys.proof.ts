import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { appOn } from '../support/app.ts';
import { patienceMs, withBrowser } from '../support/browser.ts';
import { featuresOn } from '../support/features.ts';
import { freePort } from '../support/free-port.ts';
import { make } from '../support/make.ts';
import { moveTo, pageTest, untilLive } from '../support/page-test.ts';
import { cookieOf, goodPassword, logIn, newcomer } from '../support/visitor.ts';

const test = pageTest();

const toggle = (page: Page, name: string) => page.getByRole('switch', { name }).click();

const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth');

withBrowser('the UI', () => {
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
    await untilLive(page);
    const control = page.getByRole('switch', { name: 'steady in development' });
    expect(await control.isChecked()).toBe(false);
    await page.evaluate('window.isStillThis = true');

    await server.app.close();
    await page.getByText('Reconnecting…').waitFor();
    // A change by another instance, while the page has no connection.
    await make(api.ask).switchedOn('steady');
    // What needs a file of the server waits for it, and the page stays.
    await page.getByRole('button', { name: 'Clone…' }).click();
    const restarted = await appOn(api);
    await restarted.app.listen(place);
    await untilLive(page);
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
    // Of its own: the browser keeps the files that other tests loaded.
    const context = await browser.newContext();
    context.setDefaultTimeout(patienceMs);
    const page = await context.newPage();
    const [name = '', value = ''] = cookieOf(await logIn(api, await newcomer(api))).split('=');
    await context.addCookies([{ name, value, url: origin }]);
    await page.goto(`${origin}/profile`);
    await untilLive(page);
    await page.evaluate('window.isStillThis = true');
    await context.setOffline(true);
    await page.getByText('Reconnecting…').waitFor();
    // Its file was never loaded.
    await page.getByRole('link', { name: 'Event log' }).press('Enter');
    await page.waitForURL(`${origin}/history`);
    await page.getByLabel('Loading').first().waitFor();
    await context.setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Event log' }).waitFor();
    await untilLive(page);
    expect(await page.evaluate('window.isStillThis')).toBe(true);
    await context.close();
  });

  test('asks to sign in again on the same page when the session has ended', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('typed');
    await visit('/history');
    // With this request and not before: the dialog takes the focus, and with it what is still being typed.
    await page.route(
      /query=typed&/,
      async (route) => {
        await page.context().clearCookies();
        await route.continue();
      },
      { times: 1 },
    );
    await page.getByLabel('Search events').fill('typed');
    await page.getByRole('dialog', { name: 'Session expired' }).waitFor();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Password' }).fill(goodPassword);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await page.getByLabel('Search events').inputValue()).trim()).toBe('typed');
    await page.getByRole('status').getByText(/^1 of/).waitFor();
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
    await page.getByRole('heading', { name: /^Good/, level: 1 }).waitFor();
    expect(await widthOf(page)).toBe(360);
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('link', { name: 'Features' }).click();
    await page.getByRole('link', { name, exact: true }).waitFor();
    expect(await widthOf(page)).toBe(360);
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    expect(await widthOf(page)).toBe(360);
    await toggle(page, `${name} in development`);
    await expect.poll(() => featuresOn(api).isOn(name, 'development')).toBe(true);

    // A name without a place to break it, and places of a project that do not fit beside each other.
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
