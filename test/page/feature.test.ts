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
  page.on('dialog', (dialog) => void dialog.accept());
});

afterEach(async () => {
  await context.close();
  expect(complaints).toEqual([]);
});

const pathOf = (name: string) => `/projects/default/features/${name}`;

async function createFeature(name: string, rollout?: string): Promise<void> {
  await api.ask('POST /api/admin/projects/default/features', { payload: { name } });
  if (rollout === undefined) return;
  await api.ask(`POST /api/admin${pathOf(name)}/environments/production/strategies`, {
    payload: { name: 'flexibleRollout', parameters: { rollout, stickiness: 'default' } },
  });
}

const strategiesOf = async (name: string, environment: string) =>
  (await api.ask(`GET /api/admin${pathOf(name)}/environments/${environment}/strategies`)).json();

async function signIn(path: string): Promise<void> {
  const { username } = await newcomer(api, { rootRole: 1 });
  await page.goto(`${origin}${path}`);
  await page.getByLabel('User name or e-mail').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(goodPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(({ pathname }) => pathname === path);
}

const choose = async (label: string, option: string) => {
  await page.getByRole('combobox', { name: label }).last().click();
  await page.getByRole('option', { name: option }).click();
};

withBrowser('the page of a feature', () => {
  test('rolls out to 10 % with a condition and a variant, reviewed and saved by one request', async () => {
    await createFeature('slow-start');
    await signIn(pathOf('slow-start'));
    await page.getByRole('button', { name: 'Add strategy in production' }).click();
    const editor = page.getByRole('dialog', { name: 'Strategy in production' });
    await editor.getByLabel('Rollout in percent').fill('10');
    await editor.getByRole('button', { name: 'Add condition' }).click();
    await choose('Field', 'userId');
    await editor.getByLabel('Values of userId').fill('ann');
    await editor.getByLabel('Values of userId').press('Enter');
    await editor.getByRole('button', { name: 'Add variant' }).click();
    await editor.getByLabel('Name of variant 1').fill('blue');
    await editor.getByLabel('As a sentence').getByText('10 %').waitFor();

    // A reload loses nothing that was typed.
    await page.reload();
    await editor.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Review 1 change' }).click();
    const review = page.getByRole('dialog', { name: 'Review 1 change' });
    await review
      .getByText('on for 10 % of everybody where userId is ann, sticky by default, with 1 variant')
      .waitFor();
    await review.getByLabel('Why?').fill('The first ones');
    const saved = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/changes'),
    );
    await review.getByRole('button', { name: 'Save 1 change' }).click();
    expect((await saved).postDataJSON()).toMatchObject({ comment: 'The first ones' });
    await page.getByText('slow-start: 1 change is saved').waitFor();
    expect(await strategiesOf('slow-start', 'production')).toMatchObject([
      {
        parameters: { rollout: '10' },
        constraints: [{ contextName: 'userId', values: ['ann'] }],
        variants: [{ name: 'blue', weight: 1000 }],
      },
    ]);
  });

  test('says who changed the same strategy, and puts mine on top of theirs', async () => {
    await createFeature('shared', '50');
    await signIn(pathOf('shared'));
    await page.getByText('live', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Edit strategy: On for 50 % of everybody' }).click();
    const editor = page.getByRole('dialog', { name: 'Strategy in production' });
    await editor.getByLabel('Rollout in percent').fill('20');
    await editor.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Review 1 change' }).waitFor();

    const [{ id }] = await strategiesOf('shared', 'production');
    await api.ask(`PUT /api/admin${pathOf('shared')}/environments/production/strategies/${id}`, {
      payload: { name: 'flexibleRollout', parameters: { rollout: '70', stickiness: 'default' } },
    });
    await page.getByText('Theirs: rollout 50 % → 70 %').waitFor();
    await page.getByText('Mine: rollout 50 % → 20 %').waitFor();
    await page.getByRole('button', { name: 'Keep mine on top' }).click();
    await page.getByRole('button', { name: 'Review 1 change' }).click();
    const review = page.getByRole('dialog', { name: 'Review 1 change' });
    await review.getByText('rollout 70 % → 20 %').waitFor();
    await review.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('shared: 1 change is saved').waitFor();
    expect(await strategiesOf('shared', 'production')).toMatchObject([
      { parameters: { rollout: '20' } },
    ]);
  });
});
