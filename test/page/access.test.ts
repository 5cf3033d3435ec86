import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { moveTo, pageTest } from '../support/page-test.ts';
import { goodPassword } from '../support/visitor.ts';

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

  test('a leaked token is revoked and its changes are found; only client secrets can be shown again', async ({
    api,
    origin,
    page,
    visit,
  }) => {
    await visit('/admin/api?create=true');
    await page.getByRole('radio', { name: /Admin API/ }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('nightly-job');
    await button(page, 'Create token').click();
    const secret = await page.getByTestId('secret').innerText();
    await page.keyboard.press('Escape');
    const thief = (method: string, path: string, body?: object) =>
      fetch(`${origin}/api/admin/${path}`, {
        method,
        headers: { authorization: secret, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    expect((await thief('POST', 'projects/default/features', { name: 'planted' })).status).toBe(
      201,
    );

    await button(page, 'Revoke nightly-job').click();
    // It was used just now, although the server stores times of use later.
    const question = page.getByRole('dialog');
    await question.getByText(/Use in the last minute may not be included|Last used/).waitFor();
    await button(page, 'Revoke token').click();
    await page.getByText('nightly-job revoked').waitFor();
    expect((await thief('GET', 'projects')).status).toBe(401);
    await page.getByRole('link', { name: 'Review its activity' }).click();
    await page.getByRole('heading', { name: 'Event log', level: 1 }).waitFor();
    await page.getByText('planted').first().waitFor();
    // Changes by others are not listed.
    expect(await page.getByText('payments-secret').count()).toBe(0);

    // Other secrets are shown again, those of admin tokens are not.
    await api.ask('POST /api/admin/api-tokens', {
      payload: { tokenName: 'all-powerful', type: 'admin' },
    });
    const { secret: shown } = (
      await api.ask('POST /api/admin/api-tokens', {
        payload: { tokenName: 'shop-backend', type: 'client', environment: 'development' },
      })
    ).json();
    await moveTo(page, '/admin/api');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('all-powerful').waitFor();
    expect(await row('all-powerful').getByRole('button', { name: 'Connect' }).count()).toBe(0);
    await row('shop-backend').getByRole('button', { name: 'Connect' }).click();
    expect(await page.getByTestId('secret').innerText()).toBe(shown);
    await page.getByText(`Authorization: '${shown}'`).waitFor();
  });
});
