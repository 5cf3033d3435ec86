import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { launchBrowser, withBrowser } from '../support/browser.ts';
import { buildPage } from '../support/built-page.ts';
import { goodPassword, newcomer } from '../support/visitor.ts';

let api: TestApp;
let origin: string;
let browser: Browser | undefined;
let context: BrowserContext;
let page: Page;
/** What the policy of the page refused, and what its scripts did not catch. */
let complaints: string[];

beforeAll(async () => {
  buildPage();
  api = await testApp();
  origin = await api.app.listen({ port: 0, host: '127.0.0.1' });
  // Last, and so closed first: the server would wait for what a browser holds open.
  browser = await launchBrowser();
});

beforeEach(async () => {
  complaints = [];
  if (!browser) return;
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => void complaints.push(String(error)));
});

afterEach(async () => {
  await context.close();
  expect(complaints).toEqual([]);
});

const createFeature = (name: string) =>
  api.ask('POST /api/admin/projects/default/features', { payload: { name } });

const stateOf = async (name: string, environment: string): Promise<boolean> => {
  const feature = (await api.ask(`GET /api/admin/projects/default/features/${name}`)).json();
  return feature.environments.find((each: { name: string }) => each.name === environment).enabled;
};

async function signIn(rootRole: number, path: string): Promise<void> {
  const { username } = await newcomer(api, { rootRole });
  await page.goto(`${origin}${path}`);
  await page.getByLabel('User name or e-mail').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(goodPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(({ pathname }) => pathname === new URL(path, origin).pathname);
}

/** By the keyboard: a drawn track lies over the input, and takes a click instead of it. */
const toggle = (name: string) => page.getByRole('switch', { name }).press('Space');

withBrowser('the page', () => {
  test('asks to sign in, and then shows what was asked for', async () => {
    await createFeature('first-flag');
    await signIn(1, '/search?query=first');
    await page.getByRole('heading', { name: 'Features', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'first-flag' }).click();
    await page.waitForURL(`${origin}/projects/default/features/first-flag`);
    await page.getByRole('heading', { name: 'first-flag', level: 1 }).waitFor();
  });

  test('switches a feature at once, and undoes it', async () => {
    await createFeature('switched');
    await signIn(1, '/search?query=switched');
    await toggle('switched in development');
    await page.getByText('switched is on in development').waitFor();
    await expect.poll(() => stateOf('switched', 'development')).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => stateOf('switched', 'development')).toBe(false);
  });

  test('asks before it switches something in production', async () => {
    await createFeature('careful');
    await signIn(1, '/search?query=careful');
    await toggle('careful in production');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await stateOf('careful', 'production')).toBe(false);
    await toggle('careful in production');
    await page.getByRole('button', { name: 'Switch on' }).press('Enter');
    await expect.poll(() => stateOf('careful', 'production')).toBe(true);
  });

  test('shows what somebody else changes, without a reload', async () => {
    await createFeature('watched');
    await signIn(1, '/projects/default/features/watched');
    await page.getByText('live', { exact: true }).waitFor();
    const control = page.getByRole('switch', { name: 'watched in development' });
    expect(await control.isChecked()).toBe(false);
    await api.ask('POST /api/admin/projects/default/features/watched/environments/development/on');
    await expect.poll(() => control.isChecked()).toBe(true);
    await page.getByText('switched on').first().waitFor();
  });

  test('disables what a viewer may not do, and says why', async () => {
    await createFeature('read-only');
    await signIn(3, '/search?query=read-only');
    const control = page.getByRole('switch', { name: 'read-only in development' });
    await control.waitFor();
    expect(await control.isDisabled()).toBe(true);
    await control.locator('xpath=ancestor::span[1]').hover();
    await page.getByText('You need the permission UPDATE_FEATURE_ENVIRONMENT').waitFor();
  });

  test('asks to sign in again in place when the session has ended', async () => {
    await createFeature('typed');
    await signIn(1, '/history');
    await page.getByLabel('Search events').fill('typed');
    await page.getByText(/events? match/).waitFor();
    await context.clearCookies();
    await page.getByLabel('Search events').fill('typed-more');
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Password' }).fill(goodPassword);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect((await page.getByLabel('Search events').inputValue()).trim()).toBe('typed-more');
  });

  test('fits on a phone', async () => {
    await createFeature('a-rather-long-name-for-a-feature-on-a-small-screen');
    await page.setViewportSize({ width: 360, height: 740 });
    await signIn(1, '/search');
    await page.getByRole('heading', { name: 'Features', level: 1 }).waitFor();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBe(360);
  });
});
