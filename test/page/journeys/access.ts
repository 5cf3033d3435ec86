import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { faultsOf, wcag } from '../../support/axe.ts';
import { withBrowser } from '../../support/browser.ts';
import { make } from '../../support/make.ts';
import { moveTo, pageTest } from '../../support/page-test.ts';
import { goodPassword } from '../../support/visitor.ts';

const test = pageTest();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

withBrowser('the administration pages', () => {
  test('a new user is invited with a project role and has exactly that access', async ({
    api,
    origin,
    page,
    visit,
  }) => {
    for (const id of ['payments', 'mergers']) {
      await make(api.ask).project(id, { mode: 'private' });
      await make(api.ask).feature(`${id}-secret`, { project: id });
    }
    await visit('/admin/users?invite=true');
    await page.getByLabel('Name', { exact: true }).fill('Nora Nyberg');
    await page.getByLabel('Email').fill('nora@example.com');
    await button(page, 'Add project').click();
    const invite = page.getByRole('dialog').getByRole('button', { name: 'Invite user' });
    expect(await invite.isDisabled()).toBe(true);
    expect(await invite.getAttribute('aria-description')).toBe(
      'Select a project or remove the row',
    );
    await page.getByRole('combobox', { name: 'Project 1', exact: true }).fill('pay');
    await page.getByRole('option', { name: 'payments' }).click();
    await page.getByLabel('Role in project 1').selectOption('Member');
    await invite.click();
    const link = await page.getByTestId('invite-link').innerText();
    await button(page, 'Done').click();
    await page.getByRole('link', { name: 'Nora Nyberg' }).click();
    const roles = page.getByRole('table', { name: 'Roles' });
    await roles.getByRole('row', { name: 'Member payments Direct' }).waitFor();
    expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);

    await page.context().clearCookies();
    const post = (path: string, data: object) => page.request.post(`${origin}${path}`, { data });
    const token = new URL(link).searchParams.get('token');
    const chosen = await post('/auth/reset/password', { token, password: goodPassword });
    expect(chosen.status()).toBe(200);
    const credentials = { username: 'nora@example.com', password: goodPassword };
    expect((await post('/auth/simple/login', credentials)).status()).toBe(200);
    await page.goto(`${origin}/projects`);
    await page.getByRole('link', { name: 'payments' }).waitFor();
    expect(await page.getByRole('link', { name: 'mergers' }).count()).toBe(0);
    const asked = (line: string) => page.request.get(`${origin}/api/admin/${line}`);
    expect((await asked('projects/payments/features/payments-secret')).status()).toBe(200);
    expect((await asked('projects/mergers/features/mergers-secret')).status()).toBe(404);
    await moveTo(page, '/admin/users');
    await page.getByText(/You need “.*” \(ADMIN\)/).waitFor();
  });
});
