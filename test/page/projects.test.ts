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
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
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

async function open(path: string, rootRole = 1): Promise<void> {
  const { username } = await newcomer(api, { rootRole });
  const body = { username, password: goodPassword };
  const answer = await context.request.post(`${origin}/auth/simple/login`, { data: body });
  expect(answer.status()).toBe(200);
  await page.goto(`${origin}${path}`);
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const createProject = (id: string) =>
  api.ask('POST /api/admin/projects', { payload: { id, name: id } });

withBrowser('projects', () => {
  test('a project is created with a naming pattern that its features obey', async () => {
    await open('/projects?create=true');
    await page.getByLabel('Name').fill('Web Shop');
    await page.getByText('Free. Its address will be /projects/web-shop').waitFor();
    await button('Names of features').click();
    await page.getByLabel('Pattern').fill('web-[a-z');
    await page.getByText('The pattern is not valid').waitFor();
    await page.getByLabel('Pattern').fill('web-[a-z]+');
    await page.getByLabel('Try a name').fill('shop-basket');
    await page.getByText('“shop-basket” would be refused').waitFor();
    await button('Create project').click();
    await page.getByRole('heading', { name: 'Web Shop', level: 1 }).waitFor();
    const project = (await api.ask('GET /api/admin/projects/web-shop/overview')).json();
    expect(project.featureNaming.pattern).toBe('web-[a-z]+');
  });

  test('settings are saved together, and leaving with changes asks first', async () => {
    await createProject('careful');
    await open('/projects/careful/settings');
    await page.getByLabel('Name', { exact: true }).fill('Very careful');
    await page.getByLabel('Limit of features').fill('7');
    await page.getByText('2 changes').waitFor();
    await page.getByRole('link', { name: 'Activity' }).click();
    await button('Stay').click();
    await button('Save').click();
    await page.getByRole('heading', { name: 'Very careful', level: 1 }).waitFor();
    const project = (await api.ask('GET /api/admin/projects/careful/overview')).json();
    expect(project.featureLimit).toBe(7);
  });

  test('a member is added, and the last owner stays', async () => {
    await createProject('people');
    const { username } = await newcomer(api, { rootRole: 3 });
    const name = username.replace('newcomer-', 'Newcomer ');
    await open('/projects/people/settings/access');
    await button('Add members').click();
    await page.getByRole('combobox', { name: 'People and groups' }).fill(name);
    await page.getByRole('option', { name, exact: true }).click();
    await page.keyboard.press('Tab');
    await page.getByRole('checkbox', { name: 'Owner' }).check();
    await page.getByRole('checkbox', { name: 'Member' }).uncheck();
    await button('Add').click();
    const remove = button(`Remove ${name}`);
    await remove.waitFor();
    expect(await remove.getAttribute('aria-disabled')).toBe('true');
    await remove.hover();
    await page.getByText('A project keeps its last owner').waitFor();
  });

  test('a token is made, and an application reads with it', async () => {
    await createProject('apps');
    await api.ask('POST /api/admin/projects/apps/features', { payload: { name: 'for-apps' } });
    await open('/projects/apps/settings/api-access');
    await button('New token').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('my-app');
    await button('Create token').click();
    const secret = await page.getByTestId('secret').innerText();
    await page.getByText("-H 'Authorization:").waitFor();
    const answer = await fetch(`${origin}/api/client/features`, {
      headers: { authorization: secret },
    });
    const { features } = (await answer.json()) as { features: { name: string }[] };
    expect(features.map(({ name }) => name)).toEqual(['for-apps']);
  });

  test('an import shows its plan before anything changes', async () => {
    await createProject('target');
    const document = {
      features: [{ name: 'imported', type: 'release' }],
      featureStrategies: [{ featureName: 'imported', name: 'default' }],
      featureEnvironments: [{ featureName: 'imported', enabled: true }],
    };
    await open('/projects/target/settings/import-export?tab=import');
    await page.getByLabel('Document').fill(JSON.stringify(document));
    await button('Show what it changes').click();
    await page.getByText('1 feature switched on in development').waitFor();
    const features = () => api.ask('GET /api/admin/projects/target/features');
    expect((await features()).json().features).toEqual([]);
    await button('Import into development').click();
    await page.getByText('Imported', { exact: true }).waitFor();
    expect((await features()).json().features).toMatchObject([{ name: 'imported' }]);
  });
});
