import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { faultsOnPhone } from '../../support/axe.ts';
import { withBrowser } from '../../support/browser.ts';
import { make } from '../../support/make.ts';
import { pageTest } from '../../support/page-test.ts';

const test = pageTest();

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

const project = (id: string) => `/api/admin/projects/${id}`;

/** A project with features past their expected lifetime. */
async function makeOldFeatures(api: TestApp, id: string, ...names: string[]): Promise<void> {
  const create = make(api.ask);
  await create.project(id);
  for (const name of names) await create.feature(name, { project: id });
  await api.ask(`POST ${project(id)}/stale`, { payload: { features: names, stale: true } });
}

withBrowser('the health page', () => {
  test('a stale feature is found, checked and archived', async ({ api, page, visit }) => {
    await makeOldFeatures(api, 'attic', 'old-lamp', 'old-chair');
    await make(api.ask).feature('new-lamp', { project: 'attic' });
    await api.ask(`PUT ${project('attic')}/code-references`, {
      payload: {
        repository: 'furniture',
        references: [{ feature: 'old-chair', path: 'src/chair.ts', line: 7 }],
      },
    });
    await visit(`/insights?query=attic`);
    await page.getByRole('cell', { name: /2 stale, 0 potentially stale/ }).waitFor();
    await page.getByRole('link', { name: 'attic' }).click();
    await page.getByText('of 3 features healthy').waitFor();
    // The date in the format of the user.
    await page
      .getByText(/Stale · Marked as stale by .+ on \w{3} \d+/)
      .first()
      .waitFor();

    // The code still references the chair, so it stays for now.
    await page.getByRole('button', { name: 'Check removal of old-chair' }).click();
    await page.getByText('1 reference left. Remove it first.').waitFor();
    await page.getByText('src/chair.ts:7').waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Check removal of old-lamp' }).click();
    const drawer = page.getByRole('dialog', { name: 'Remove old-lamp' });
    await drawer.getByText('4 of 5 done · 1 blocker left').waitFor();
    await drawer.getByText('No references in 1 scanned repository.').waitFor();
    await button(page, 'Mark as completed…').click();
    await page.getByRole('radio', { name: 'Discarded' }).check();
    await button(page, /^Mark as completed$/).click();
    await drawer.getByText('Ready to archive').waitFor();
    await drawer.getByRole('button', { name: 'Archive…' }).click();
    await button(page, 'Archive 1 feature').click();
    await page.getByText('of 2 features healthy').waitFor();
    await page.waitForURL(({ search }) => search === '');

    const { features } = (await api.ask(`GET ${project('attic')}/features`)).json();
    expect(features.map(({ name }: { name: string }) => name)).toEqual(['new-lamp', 'old-chair']);
    const history = await api.ask('GET /api/admin/search/events?feature=IS:old-lamp');
    const types = history.json().events.map(({ type }: { type: string }) => type);
    expect(types.slice(0, 2)).toEqual(['feature-archived', 'feature-completed']);
    expect(await faultsOnPhone(page)).toEqual([]);
  });
});
