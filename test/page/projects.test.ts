import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { moveTo, pageTest } from '../support/page-test.ts';
import { newcomer } from '../support/visitor.ts';

const test = pageTest();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

withBrowser('the project pages', () => {
  test('the last owner cannot be removed; an application uses a new token', async ({
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
