import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { faultsOf, wcag } from '../support/axe.ts';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { locationOf, moveTo, pageTest, untilLive } from '../support/page-test.ts';

const test = pageTest();

const feature = async (api: TestApp, name: string) =>
  (await api.ask(`GET /api/admin/projects/default/features/${name}`)).json();

const dialog = (page: Page) => page.getByRole('dialog');

withBrowser('the feature list', () => {
  test('acts on the focused row by keys; saves, shares, and changes a view', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('keyed-one');
    await make(api.ask).strategy('keyed-one', {
      name: 'flexibleRollout',
      parameters: { rollout: '25', stickiness: 'default', groupId: 'keyed-one' },
    });
    await make(api.ask).switchedOn('keyed-one');
    await visit('/search?query=keyed&columns=evaluations%2Cenv:development%2Cenv:production');
    await page.getByText('25%').waitFor();
    await page.getByText('No strategies').waitFor();
    await page.getByRole('cell', { name: 'None' }).waitFor();
    for (const key of ['j', 'f']) await page.keyboard.press(key);
    await page
      .getByRole('button', { name: 'Favorite keyed-one' })
      .and(page.locator('[aria-pressed=true]'))
      .waitFor();
    for (const [key, title] of [
      ['c', 'Clone'],
      ['a', 'Archive'],
    ] as const) {
      await page.keyboard.press(key);
      await dialog(page).getByText(title).first().waitFor();
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
    }
    await page.keyboard.press('s');
    await dialog(page).getByRole('switch', { name: 'keyed-one in development' }).press('Space');
    await expect
      .poll(async () => (await feature(api, 'keyed-one')).environments[0].enabled)
      .toBe(false);
    expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Views', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Save as new view…' }).click();
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Keyed');
    await dialog(page).getByRole('checkbox', { name: 'Share with everyone' }).check();
    await dialog(page).getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('button', { name: 'Keyed', exact: true }).waitFor();
    expect((await locationOf(page)).search).toContain('view=');
    await page.getByRole('button', { name: 'Stale', exact: true }).click();
    await page.getByRole('button', { name: 'Keyed (modified)' }).click();
    expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);
    await page.getByRole('menuitem', { name: 'Save changes' }).click();
    await page.getByRole('button', { name: 'Keyed', exact: true }).waitFor();
    const saved = await api.ask('GET /api/admin/saved-views?page=features');
    expect(saved.json().views).toMatchObject([
      { name: 'Keyed', shared: true, query: expect.stringContaining('state=stale') },
    ]);
    // Views that an earlier version saved in this browser move to the server.
    await page.evaluate(`fetch('/api/admin/user').then((answer) => answer.json()).then(({ user }) =>
      localStorage.setItem('burgee-own / ' + user.id + ' log-views',
        JSON.stringify([{ name: 'From this browser', q: 'feature:keyed-one' }])))`);
    await moveTo(page, '/history');
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    await page.getByRole('menuitem', { name: 'From this browser' }).click();
    await page.waitForURL(/q=feature/);
    await page.getByRole('button', { name: 'From this browser', exact: true }).waitFor();
  });

  test('clones a feature while its preview is read again after a change elsewhere', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('twinned');
    await visit('/projects/default/features/twinned');
    await untilLive(page);
    await page.getByRole('button', { name: 'Clone…' }).click();
    const confirm = dialog(page).getByRole('button', { name: 'Clone feature' });
    await expect.poll(() => confirm.isEnabled()).toBe(true);
    let isRead = false;
    await page.route(/clone\?dryRun=true/, () => {
      isRead = true;
    });
    await make(api.ask).feature('elsewhere');
    await expect.poll(() => isRead).toBe(true);
    expect(await confirm.isEnabled()).toBe(true);
    await confirm.click();
    await page.waitForURL(/features\/twinned-copy$/);
  });
});
