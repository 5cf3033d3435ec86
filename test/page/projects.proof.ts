import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { moveTo, pageTest } from '../support/page-test.ts';
import { newcomer } from '../support/visitor.ts';

const test = pageTest();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

withBrowser('the project pages', () => {
  test('a search in an archive without results says so and can be cleared', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).project('retired');
    await make(api.ask).feature('retired-feature', { project: 'retired' });
    await api.ask('DELETE /api/admin/projects/retired/features/retired-feature');
    await visit('/projects/retired/archive?query=nothing-like-it');
    await page.getByText('No archived features match “nothing-like-it”').waitFor();
    await button(page, 'Clear search').click();
    await page.getByText('1 archived feature').waitFor();

    await api.ask('POST /api/admin/projects/archive/retired');
    await moveTo(page, '/projects?archived=true&query=nothing-like-it');
    await page.getByText('No archived projects match “nothing-like-it”').waitFor();
    await button(page, 'Clear search').click();
    await page.getByRole('listitem').filter({ hasText: 'retired' }).waitFor();
  });

  test('an import shows its plan before anything changes', async ({ api, page, visit }) => {
    await make(api.ask).project('target');
    const document = {
      features: [{ name: 'imported', type: 'release' }],
      featureStrategies: [{ featureName: 'imported', name: 'default' }],
      featureEnvironments: [{ featureName: 'imported', enabled: true }],
    };
    await visit('/projects/target/settings/import-export?tab=import');
    await page.getByLabel('Export JSON').fill(JSON.stringify(document));
    await button(page, 'Preview import').click();
    await page.getByText('Enable 1 feature in development').waitFor();
    const features = () => api.ask('GET /api/admin/projects/target/features');
    expect((await features()).json().features).toEqual([]);
    await button(page, 'Import into development').click();
    await page.getByText('1 feature enabled in development').waitFor();
    expect((await features()).json().features).toMatchObject([{ name: 'imported' }]);
  });

  test('a project is created with a naming pattern; leaving changed settings asks for confirmation', async ({
    api,
    page,
    visit,
  }) => {
    await visit('/projects?create=true');
    await page.getByLabel('Name').fill('Web Shop');
    await page.getByText('Available at /projects/web-shop').waitFor();
    await button(page, 'Naming pattern').click();
    await page.getByLabel('Pattern').fill('web-[a-z');
    await page.getByText('Invalid pattern').waitFor();
    await page.getByLabel('Pattern').fill('web-[a-z]+');
    await page.getByLabel('Test a name').fill('shop-basket');
    await page.getByText("“shop-basket” doesn't match").waitFor();
    await button(page, 'Create project').click();
    await page.getByRole('heading', { name: 'Web Shop', level: 1 }).waitFor();
    const project = (await api.ask('GET /api/admin/projects/web-shop/overview')).json();
    expect(project.featureNaming.pattern).toBe('web-[a-z]+');

    await moveTo(page, '/projects/web-shop/settings');
    await page.getByLabel('Name', { exact: true }).fill('Very careful');
    await page.getByLabel('Feature limit').fill('7');
    await page.getByText('2 unsaved changes').waitFor();
    await page
      .getByRole('navigation', { name: 'Project Web Shop' })
      .getByRole('link', { name: 'Event log' })
      .click();
    await button(page, 'Keep editing').click();
    await button(page, 'Save changes').click();
    await page.getByRole('heading', { name: 'Very careful', level: 1 }).waitFor();
    const saved = (await api.ask('GET /api/admin/projects/web-shop/overview')).json();
    expect(saved.featureLimit).toBe(7);
  });

  test('the last owner cannot be removed; a new API token returns the features of its project', async ({
    api,
    page,
    origin,
    visit,
  }) => {
    await make(api.ask).project('people');
    const { username } = await newcomer(api, { rootRole: 3 });
    const name = username.replace('newcomer-', 'Newcomer ');
    await visit('/projects/people/settings/access');
    await button(page, 'Add members').click();
    await page.getByRole('combobox', { name: 'Users and groups' }).fill(name);
    await page.getByRole('option', { name, exact: true }).click();
    await page.keyboard.press('Tab');
    await page.getByRole('checkbox', { name: 'Owner' }).check();
    await page.getByRole('checkbox', { name: 'Member' }).uncheck();
    await page.getByRole('dialog').getByRole('button', { name: 'Add members' }).click();
    const remove = button(page, `Remove ${name}`);
    await remove.waitFor();
    expect(await remove.getAttribute('aria-disabled')).toBe('true');
    await remove.hover();
    await page.getByText('A project needs an owner').waitFor();

    await make(api.ask).project('apps');
    await api.ask('POST /api/admin/projects/apps/features', { payload: { name: 'for-apps' } });
    await moveTo(page, '/projects/apps/settings/api-access');
    await button(page, 'New API token').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('my-app');
    await button(page, 'Create token').click();
    const secret = await page.getByTestId('secret').innerText();
    await page.getByText(`Authorization: '${secret}'`).waitFor();
    const answer = await fetch(`${origin}/api/client/features`, {
      headers: { authorization: secret },
    });
    const { features: read } = (await answer.json()) as { features: { name: string }[] };
    expect(read.map(({ name }) => name)).toEqual(['for-apps']);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });
});
