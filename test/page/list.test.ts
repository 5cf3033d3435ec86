import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { launchBrowser, withBrowser } from '../support/browser.ts';
import { buildPage } from '../support/built-page.ts';
import { make } from '../support/make.ts';
import { goodPassword, newcomer } from '../support/visitor.ts';

let api: TestApp;
let origin: string;
let browser: Browser | undefined;
let context: BrowserContext;
let page: Page;
/** What the policy of the page refused, and what its scripts did not catch. */
let complaints: string[];

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

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

/** Signs in as an editor without the form, which other journeys try. */
async function open(path: string): Promise<void> {
  const { username: name } = await newcomer(api, { rootRole: 1 });
  await context.request.post(`${origin}/auth/simple/login`, {
    data: { username: name, password: goodPassword },
  });
  await page.goto(`${origin}${path}`);
}

const feature = async (name: string, project = 'default') =>
  (await api.ask(`GET /api/admin/projects/${project}/features/${name}?archived=true`)).json();

/** What axe finds wrong with what is on the screen. */
async function faultsForAxe(): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: runner } = globalThis as unknown as {
      axe: {
        run: (
          options: object,
        ) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
      };
    };
    const { violations } = await runner.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'],
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}

const dialog = () => page.getByRole('dialog');

withBrowser('the list of features', () => {
  test('a newcomer creates a flag, switches it on at once, and an SDK sees it', async () => {
    const { secret } = (
      await api.ask('POST /api/admin/projects/default/api-tokens', {
        payload: {
          tokenName: 'sdk',
          type: 'client',
          environment: 'development',
          projects: ['default'],
        },
      })
    ).json();
    await open('/search');
    await page.getByText('No feature yet').waitFor();
    await page.getByText(`${origin}/api/admin/projects/default/features`).waitFor();
    await page.getByRole('button', { name: 'New feature' }).first().click();
    await page.getByLabel('Name').fill('no blanks');
    await page.getByText(/must be/).waitFor();
    await page.getByLabel('Name').fill('first-flag');
    await page.getByRole('img', { name: 'The name is free' }).waitFor();
    expect(await faultsForAxe()).toEqual([]);
    await page.getByLabel('development').check();
    await page.getByRole('button', { name: 'Create feature' }).click();
    await page.getByText('first-flag is created').waitFor();
    await page.waitForURL(`${origin}/projects/default/features/first-flag`);
    const seen = await api.app.inject({
      url: '/api/client/features',
      headers: { authorization: secret },
    });
    expect(seen.json().features).toMatchObject([{ name: 'first-flag', enabled: true }]);
  });

  test('filters are the address, and are taken away one by one', async () => {
    await make(api.ask).feature('a-release');
    await make(api.ask).feature('an-experiment', { type: 'experiment' });
    await make(api.ask).feature('a-switch', { type: 'kill-switch' });
    await open('/search?query=a');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Filter by').fill('experiment');
    await page.keyboard.press('Enter');
    await page.getByLabel('Filter by').fill('kill');
    await page.keyboard.press('Enter');
    await page.waitForURL(/type=experiment%2Ckill-switch|type=experiment,kill-switch/);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'a-release' }).waitFor({ state: 'detached' });
    await page
      .getByRole('button', { name: 'Sort by Name' })
      .or(page.getByTitle('Sort by Name'))
      .first()
      .click();
    await page.waitForURL(/sortBy=name/);
    await page.getByRole('button', { name: 'Remove the filter Type: Kill switch' }).click();
    await page.getByRole('link', { name: 'a-switch' }).waitFor({ state: 'detached' });
    expect(page.url()).toContain('sortBy=name');
    expect(await faultsForAxe()).toEqual([]);
  });

  test('archives a selection, and says why one of it stays', async () => {
    for (const name of ['old-one', 'old-parent', 'old-two']) await make(api.ask).feature(name);
    await make(api.ask).feature('still-used');
    await make(api.ask).dependency('still-used', 'old-parent');
    await open('/projects/default?query=old&sortBy=name');
    await page.getByRole('link', { name: 'old-one' }).waitFor();
    for (const key of ['j', 'x', 'Shift+J', 'Shift+J']) await page.keyboard.press(key);
    await page.getByText('3 features · 3 selected').waitFor();
    await page.getByRole('button', { name: 'Archive…' }).click();
    await dialog().getByText("Other features depend on it: 'still-used'").waitFor();
    expect(await faultsForAxe()).toEqual([]);
    await dialog().getByRole('button', { name: 'Archive 2 features' }).click();
    await dialog().getByText('2 features are archived.').waitFor();
    await dialog().getByText('old-parent').waitFor();
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    expect((await feature('old-one')).archived).toBe(true);
    expect((await feature('old-parent')).archived).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await feature('old-two')).archived).toBe(false);
  });

  test('clones into another project, and says before what stays behind', async () => {
    await make(api.ask).project('narrow', { environments: ['development'] });
    const segment = await make(api.ask).segment('ours alone', { project: 'default' });
    await make(api.ask).feature('to-copy');
    await make(api.ask).strategy('to-copy', { segments: [segment.id] });
    await make(api.ask).strategy('to-copy', {}, { environment: 'production' });
    await open('/projects/default?query=to-copy');
    await page.getByLabel('Select to-copy').click();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Clone…' }).click();
    await dialog().getByRole('textbox', { name: 'Name of the copy' }).fill('to-copy');
    await dialog().getByText("A feature named 'to-copy' already exists").waitFor();
    await dialog().getByRole('textbox', { name: 'Name of the copy' }).fill('the-copy');
    await dialog().getByRole('combobox', { name: 'Into the project' }).click();
    await page.getByRole('option', { name: 'narrow' }).click();
    await dialog().getByText("environment 'production'").waitFor();
    await dialog().getByText("segment 'ours alone'").waitFor();
    await dialog().getByText('1 strategy in development').waitFor();
    expect(await faultsForAxe()).toEqual([]);
    await dialog().getByRole('button', { name: 'Clone', exact: true }).click();
    await page.waitForURL(`${origin}/projects/narrow/features/the-copy`);
    const copy = await feature('the-copy', 'narrow');
    expect(copy.environments[0].strategies).toMatchObject([{ segments: [] }]);
  });
});
