import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { faultsOf, wcag } from '../../support/axe.ts';
import { withBrowser } from '../../support/browser.ts';
import { make } from '../../support/make.ts';
import { locationOf, moveTo, pageTest } from '../../support/page-test.ts';
import { expectEarlyRead } from '../first-load.ts';

const test = pageTest();

const feature = async (api: TestApp, name: string, project = 'default') =>
  (await api.ask(`GET /api/admin/projects/${project}/features/${name}?archived=true`)).json();

const dialog = (page: Page) => page.getByRole('dialog');

withBrowser('the feature list', () => {
  test('keeps its filters in the URL, archives selected features, and says why one cannot be archived', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('a-release');
    await make(api.ask).feature('an-experiment', { type: 'experiment' });
    await make(api.ask).feature('a-switch', { type: 'kill-switch' });
    await visit('/search?query=a');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    for (const type of ['Experiment', 'Kill switch']) {
      await page.getByLabel('Filter by').fill(type);
      await page.getByRole('option', { name: type }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: `Remove filter Type: ${type}` }).waitFor();
    }
    await page.waitForURL(/type=experiment%2Ckill-switch|type=experiment,kill-switch/);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'a-release' }).waitFor({ state: 'detached' });
    await page
      .getByRole('button', { name: 'Sort by Name' })
      .or(page.getByTitle('Sort by Name'))
      .first()
      .click();
    await page
      .getByRole('columnheader', { name: 'Name', exact: true })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    await page.getByRole('button', { name: 'Remove filter Type: Kill switch' }).click();
    await page.getByRole('link', { name: 'a-switch' }).waitFor({ state: 'detached' });
    expect((await locationOf(page)).search).toContain('sortBy=name');
    const inProduction = page.getByRole('button', { name: 'Enabled in production' });
    await inProduction.click();
    await page.getByText('No matching features').waitFor();
    expect((await locationOf(page)).search).toContain('enabledIn=production');
    await inProduction.and(page.locator('[aria-pressed=true]')).click();
    await page.getByRole('link', { name: 'an-experiment' }).waitFor();

    for (const name of ['old-one', 'old-parent', 'old-two']) await make(api.ask).feature(name);
    await make(api.ask).feature('still-used');
    await make(api.ask).dependency('still-used', 'old-parent');
    await moveTo(page, '/projects/default?query=old&sortBy=name');
    await page.getByRole('link', { name: 'old-one' }).waitFor();
    for (const key of ['j', 'x', 'Shift+J', 'Shift+J']) await page.keyboard.press(key);
    await page.getByText('3 features · 3 selected').waitFor();
    await page.getByRole('button', { name: 'Archive…' }).click();
    await dialog(page).getByText("Other features depend on it: 'still-used'").waitFor();
    await dialog(page).getByText("2 will be archived · 1 can't be changed").waitFor();
    expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Archive 2 features' }).click();
    await dialog(page).getByText("2 archived · 1 can't be changed").waitFor();
    // The notice stays while someone points at it.
    await page.getByRole('button', { name: 'Undo' }).hover();
    await dialog(page).getByText('old-parent').waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    expect((await feature(api, 'old-one')).archived).toBe(true);
    expect((await feature(api, 'old-parent')).archived).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await feature(api, 'old-two')).archived).toBe(false);
  });

  test('clones features into another project, and lists beforehand what is not copied', async ({
    api,
    page,
    origin,
    visit,
  }) => {
    await make(api.ask).project('narrow', { environments: ['development'] });
    const segment = await make(api.ask).segment('ours alone', { project: 'default' });
    await make(api.ask).feature('to-copy');
    await make(api.ask).strategy('to-copy', { segments: [segment.id] });
    await make(api.ask).strategy('to-copy', {}, { environment: 'production' });
    await visit('/projects/default');
    await page.getByLabel('Select to-copy').waitFor();
    await expectEarlyRead(page, '/api/admin/search/features');
    await page.getByLabel('Select to-copy').click();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Clone…' }).click();
    await dialog(page).getByRole('textbox', { name: 'New name' }).fill('zu-kürzen');
    await dialog(page).getByText("Names can't contain “ü”").waitFor();
    await dialog(page).getByRole('textbox', { name: 'New name' }).fill('to-copy');
    await dialog(page).getByText("A feature named 'to-copy' already exists").waitFor();
    await dialog(page).getByRole('textbox', { name: 'New name' }).fill('the-copy');
    await dialog(page).getByRole('combobox', { name: 'Target project' }).click();
    await page.getByRole('option', { name: 'narrow' }).click();
    await dialog(page).getByText("environment 'production'").waitFor();
    await dialog(page).getByText("segment 'ours alone'").waitFor();
    await dialog(page).getByRole('row', { name: 'development 1 0' }).waitFor();
    expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);
    // The preview is not requested again because of names that the copies themselves use.
    const requested: Request[] = [];
    const note = (request: Request) => void requested.push(request);
    const cloned = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().includes('dryRun=false'),
    );
    await dialog(page).getByRole('button', { name: 'Clone feature', exact: true }).click();
    await cloned;
    page.on('request', note);
    await page.waitForURL(`${origin}/projects/narrow/features/the-copy`);
    page.off('request', note);
    expect(requested.filter((request) => request.url().includes('dryRun=true'))).toEqual([]);
    const copy = await feature(api, 'the-copy', 'narrow');
    expect(copy.environments[0].strategies).toMatchObject([{ segments: [] }]);
  });
});
