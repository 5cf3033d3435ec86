import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { pageTest } from '../support/page-test.ts';
import { programs } from '../support/usage.ts';

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

withBrowser('the health and application pages', () => {
  test('several features are snoozed with a reason, and undone with one click', async ({
    api,
    page,
    visit,
  }) => {
    await makeOldFeatures(api, 'cellar', 'wine', 'cheese');
    await visit(`/projects/cellar/health`);
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByText('2 selected').waitFor();
    await button(page, 'Snooze…').click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('They get better');
    await button(page, /^Snooze$/).click();
    await page.getByText('2 features snoozed for 90 days').waitFor();
    const reviewOf = async (feature: string) =>
      (await api.ask(`GET ${project('cellar')}/features/${feature}/review`)).statusCode;
    expect([await reviewOf('wine'), await reviewOf('cheese')]).toEqual([200, 200]);
    await button(page, 'Undo').click();
    await page.getByText('They get better').first().waitFor({ state: 'detached' });
    await expect.poll(() => reviewOf('cheese')).toBe(404);
    expect(await reviewOf('wine')).toBe(404);
  });

  test('an unknown flag becomes a feature, and another one is ignored', async ({
    api,
    page,
    visit,
  }) => {
    const counts = { yes: 0, no: 1 };
    await programs(api).metrics({ 'not-yet-made': counts, misspelt: counts }, { appName: 'kiosk' });
    await visit(`/applications/kiosk`);
    await page.getByText('2 unknown flags requested').waitFor();
    await page.getByRole('link', { name: 'Review' }).click();
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('misspelt').getByRole('button', { name: 'Ignore' }).click();
    await page.getByText('misspelt ignored').waitFor();
    await row('not-yet-made')
      .getByRole('button', { name: /^Create in/ })
      .click();
    await page.getByText(/not-yet-made created in .*, disabled in every environment/).waitFor();
    await page.getByText('No unknown flags').waitFor();
    const made = await api.ask('GET /api/admin/search/features?query=not-yet-made');
    expect(made.json().total).toBe(1);
    const left = await api.ask('GET /api/admin/metrics/unknown-flags?ignored=true');
    expect(left.json().unknownFlags).toMatchObject([{ name: 'misspelt', appName: 'kiosk' }]);
  });
});
