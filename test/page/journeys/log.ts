import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { faultsOf, faultsOnPhone, wcag } from '../../support/axe.ts';
import { withBrowser } from '../../support/browser.ts';
import { make } from '../../support/make.ts';
import { goToLogByKeys, locationOf, moveTo, pageTest, untilLive } from '../../support/page-test.ts';
import { person } from '../../support/people.ts';

const feature = '/api/admin/projects/default/features';

/** Always the most recent day with this name, even if midnight passes during the tests. */
const today = new Date();
const threeDaysAgo = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 3, 10);
const weekday = threeDaysAgo.toLocaleDateString('en', { weekday: 'long' }).toLowerCase();
let clock = (): Date => new Date();

const test = pageTest(() => testApp({ clock: () => clock() }));

const queryOf = async (page: Page) => (await locationOf(page)).searchParams;
const count = (page: Page) => page.getByRole('status');
const opened = (page: Page) => page.getByRole('complementary', { name: 'Event details' });

withBrowser('the event log', () => {
  test.beforeAll(async ({ api }) => {
    const switchOffAndOn = async ({ ask }: Pick<TestApp, 'ask'>, name: string) => {
      await ask(`POST ${feature}/${name}/environments/production/on`);
      await ask(`POST ${feature}/${name}/environments/production/off`);
    };
    clock = () => threeDaysAgo;
    const culprit = await person(api, { rootRole: 1 });
    await api.ask(`PUT /api/admin/user-admin/${culprit.id}`, { payload: { name: 'Ada Holm' } });
    for (const name of ['checkout', 'banner']) await make(api.ask).feature(name);
    await switchOffAndOn(culprit, 'checkout');
    clock = () => new Date();
    for (const name of ['checkout', 'banner']) await switchOffAndOn(api, name);
    await api.ask(`PUT ${feature}/checkout`, { payload: { description: 'Pays', type: 'release' } });
  });

  test('shows who disabled a feature in production on a weekday, found with the keyboard alone', async ({
    page,
    origin,
    visit,
  }) => {
    await visit('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await goToLogByKeys(page, origin);
    await count(page)
      .getByText(/events?$/)
      .waitFor();
    // The sentences begin below each other, whatever the hour.
    const widths = () =>
      page
        .locator('[data-event]')
        .evaluateAll((times: { readonly clientWidth?: number }[]) => [
          ...new Set(times.map(({ clientWidth }) => clientWidth)),
        ]);
    await expect.poll(widths).toHaveLength(1);
    // Rows end at whole pixels: the next one would cover the line between them, also that above a day.
    const heights = () =>
      page
        .getByRole('list', { name: 'Events, newest first' })
        .getByRole('listitem')
        .evaluateAll((rows: { getBoundingClientRect: () => { readonly height: number } }[]) =>
          rows.map((row) => row.getBoundingClientRect().height % 1),
        );
    expect(new Set(await heights())).toEqual(new Set([0]));
    expect(
      await page.getByRole('list', { name: 'Events, newest first' }).getByRole('heading').count(),
    ).toBeGreaterThan(0);
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
    await page.keyboard.type(`on:last-${weekday}`);
    await page.keyboard.press('Enter');
    await count(page)
      .getByText(/^1 of \d+ events$/)
      .waitFor();
    expect((await queryOf(page)).get('q')).toBe(
      `type:feature-environment-disabled env:production feature:checkout on:last-${weekday}`,
    );
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await opened(page)
      .getByText(/disabled checkout in production/)
      .waitFor();
    await opened(page).getByText('Ada Holm').first().waitFor();
    expect((await queryOf(page)).get('event')).toMatch(/^\d+$/);
    expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);
    await page.keyboard.press('Escape');
    await opened(page).waitFor({ state: 'hidden' });
  });

  test('keeps an open event in the URL, closes it with Back, and shows what is wrong with a query', async ({
    page,
    visit,
  }) => {
    await visit('/history?q=feature:checkout');
    await count(page)
      .getByText(/^\d+ of \d+ events$/)
      .waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await opened(page).getByText('Pays').first().waitFor();
    const first = (await queryOf(page)).get('event');
    const verified = await page.getByText(/^Verified through #\d+$/).textContent();
    expect(Number(verified?.match(/\d+/)?.[0])).toBeGreaterThanOrEqual(Number(first));
    await page.keyboard.press('j');
    await page.waitForURL(({ searchParams }) => searchParams.get('event') !== first);
    await opened(page)
      .getByText(/disabled checkout in production/)
      .waitFor();
    await page.goBack();
    await opened(page).waitFor({ state: 'hidden' });
    expect((await queryOf(page)).get('q')).toBe('feature:checkout');

    await page.getByLabel('Search events').fill('type:feature-crated');
    await page.keyboard.press('Enter');
    await page.getByText('Unknown event type “feature-crated”').waitFor();
    expect(await faultsOnPhone(page)).toEqual([]);
  });

  test('announces new events without moving the list, filters by facets, and exports the matches', async ({
    api,
    page,
    visit,
  }) => {
    await visit('/history?q=feature:banner');
    await untilLive(page);
    await count(page)
      .getByText(/^\d+ of \d+ events$/)
      .waitFor();
    await page.keyboard.press('j');
    // While the focus is in the list, new events wait behind a button, so that the list does not move.
    await page.locator('[data-event]:focus').waitFor();
    await api.ask(`POST ${feature}/banner/environments/development/on`);
    await page.getByRole('button', { name: /\d new event/ }).click();
    await page.getByText(/enabled banner in development/).waitFor();

    await moveTo(page, '/projects/default/logs');
    // Users are filtered by name, too.
    await page.getByRole('button', { name: /^Ada Holm/ }).click();
    await page.waitForURL(({ searchParams }) => searchParams.get('q') === 'actor:"Ada Holm"');
    await count(page)
      .getByText(/^\d of \d+ events$/)
      .waitFor();
    await page.getByRole('button', { name: /^Ada Holm/ }).click();
    await page.getByRole('button', { name: /switched off/ }).click();
    await page.waitForURL(
      ({ searchParams }) => searchParams.get('q')?.startsWith('type:') === true,
    );
    await count(page)
      .getByText(/^3 of \d+ events$/)
      .waitFor();
    expect((await queryOf(page)).get('q')).toBe('type:feature-environment-disabled');

    // Exactly these are exported. A failed export shows the id of the error.
    const exportCsv = async () => {
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: /CSV/ }).click();
    };
    const download = page.waitForEvent('download');
    await exportCsv();
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file.match(/feature-environment-disabled/g)).toHaveLength(3);
    expect(file).not.toContain('feature-environment-enabled');
    await page.route('**/api/admin/search/events*', (route) =>
      route.fulfill({ status: 500, json: { id: 'error-of-the-export', message: 'It broke' } }),
    );
    await exportCsv();
    await page.getByText('error-of-the-export').waitFor();
  });
});
