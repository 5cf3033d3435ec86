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
let complaints: string[];

const feature = '/api/admin/projects/default/features';

beforeAll(async () => {
  buildPage();
  api = await testApp();
  origin = await api.app.listen({ port: 0, host: '127.0.0.1' });
  for (const name of ['checkout', 'banner']) {
    await api.ask(`POST ${feature}`, { payload: { name } });
    await api.ask(`POST ${feature}/${name}/environments/production/on`);
    await api.ask(`POST ${feature}/${name}/environments/production/off`);
  }
  await api.ask(`PUT ${feature}/checkout`, { payload: { description: 'Pays', type: 'release' } });
  browser = await launchBrowser();
});

beforeEach(async () => {
  complaints = [];
  if (!browser) return;
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
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

async function signIn(path: string, rootRole = 1): Promise<void> {
  const { username } = await newcomer(api, { rootRole });
  await context.request.post(`${origin}/auth/simple/login`, {
    data: { username, password: goodPassword },
  });
  await page.goto(`${origin}${path}`);
}

const query = () => new URL(page.url()).searchParams;
const opened = () => page.getByRole('complementary', { name: 'Event', exact: true });

withBrowser('the event log', () => {
  test('answers by keyboard who switched a feature off in production', async () => {
    await signIn('/history');
    await page.getByText(/events? match/).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('type:feature-environment-dis');
    await page.getByRole('option', { name: /feature-environment-disabled/ }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('env:prod');
    await page.getByRole('option', { name: 'production' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('feature:check');
    await page.getByRole('option', { name: /checkout/ }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('on:today');
    await page.keyboard.press('Enter');
    await page.getByText('1 event matches').waitFor();
    expect(query().get('q')).toBe(
      'type:feature-environment-disabled env:production feature:checkout on:today',
    );
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await opened().getByText('switched checkout off in production').waitFor();
    expect(query().get('event')).toMatch(/^\d+$/);
    await page.keyboard.press('Escape');
    await opened().waitFor({ state: 'hidden' });
  });

  test('opens an event in the address, moves on with j, and closes it with Back', async () => {
    await signIn('/history?q=feature:checkout');
    await page.getByText(/events match/).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await opened().getByText('Pays').first().waitFor();
    const first = query().get('event');
    await page.keyboard.press('j');
    await page.waitForURL(({ searchParams }) => searchParams.get('event') !== first);
    await opened().getByText('switched checkout off in production').waitFor();
    await page.goBack();
    await opened().waitFor({ state: 'hidden' });
    expect(query().get('q')).toBe('feature:checkout');
  });

  test('says what is wrong with a query, below it', async () => {
    await signIn('/history');
    await page.getByLabel('Search events').fill('type:feature-crated');
    await page.keyboard.press('Enter');
    await page.getByText('There is no type feature-crated').waitFor();
  });

  test('narrows down by facets and counts what is found', async () => {
    await signIn('/projects/default/logs');
    await page.getByRole('button', { name: /switched off/ }).click();
    await page.waitForURL(({ searchParams }) => searchParams.has('q'));
    await page.getByText(/^2 events match/).waitFor();
    expect(query().get('q')).toBe('type:feature-environment-disabled');
  });

  test('tells of new events without moving what one reads', async () => {
    await signIn('/history?q=feature:banner');
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByText(/events match/).waitFor();
    await page.keyboard.press('j');
    await api.ask(`POST ${feature}/banner/environments/development/on`);
    await page.getByRole('button', { name: /\d new/ }).click();
    await page.getByText('switched banner on in development').waitFor();
  });
});
