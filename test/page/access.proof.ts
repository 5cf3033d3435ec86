import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { locationOf, moveTo, pageTest } from '../support/page-test.ts';

const test = pageTest();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

withBrowser('the administration pages', () => {
  test('a missing role or application has its own page with a link back', async ({
    page,
    visit,
  }) => {
    await visit('/admin/roles/4711');
    await page.getByRole('heading', { name: 'Role not found', level: 1 }).waitFor();
    await moveTo(page, '/applications/nobody');
    await page.getByRole('heading', { name: 'Application not found' }).waitFor();
    await page.getByRole('link', { name: 'All applications' }).click();
    await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
    // On a phone, the open tab is in view.
    await page.setViewportSize({ width: 360, height: 740 });
    await moveTo(page, '/profile?tab=access');
    const tab = page.getByRole('tab', { name: 'Permissions' });
    await expect
      .poll(async () => Math.round((await tab.boundingBox())?.x ?? 999))
      .toBeLessThan(300);
  });

  test('ask before granting Admin, say why an assigned role cannot be deleted, and clear list filters', async ({
    api,
    page,
    visit,
  }) => {
    const { roles: role } = (
      await api.ask('POST /api/admin/roles', {
        payload: { name: 'Auditor', type: 'root-custom', permissions: [] },
      })
    ).json();
    const user = (
      await api.ask('POST /api/admin/user-admin', {
        payload: { name: 'Otto', username: 'otto', rootRole: role.id },
      })
    ).json();
    const roleOf = async () =>
      (await api.ask(`GET /api/admin/user-admin/${user.id}`)).json().rootRole;
    await make(api.ask).project('north-star', { name: 'North Star' });
    await make(api.ask).feature('aurora', { project: 'north-star' });
    await visit(`/admin/roles/${role.id}`);
    const deletion = button(page, 'Delete role');
    await expect
      .poll(() => deletion.getAttribute('aria-description'))
      .toBe('Assigned to 1 user. Reassign them first.');

    await moveTo(page, '/admin/users?query=otto');
    await page.getByLabel('Role for Otto').selectOption('Admin');
    await page.getByText('Make Otto an admin?').waitFor();
    expect(await roleOf()).toBe(role.id);
    await button(page, 'Make admin').click();
    await page.getByText('Otto now has the Admin role').waitFor();
    expect(await roleOf()).toBe(1);
    await button(page, 'Undo').click();
    await expect.poll(roleOf).toBe(role.id);
    await moveTo(page, '/admin/users?query=no-such-user&show=inactive');
    await page.getByText('No matching users').waitFor();
    expect(await page.getByText('Everyone has been active').count()).toBe(0);
    await button(page, 'Clear filters').click();
    await page.getByRole('link', { name: 'Otto' }).waitFor();

    await moveTo(page, '/admin/auth');
    const passwords = page.getByRole('switch', { name: 'Password sign-in' });
    await page.getByText('Users sign in with a username or email and a password.').waitFor();
    expect(await passwords.getAttribute('aria-description')).toContain(
      'Set up single sign-on first',
    );

    await moveTo(page, '/projects/north-star/features/aurora');
    await button(page, 'Follow').click();
    await button(page, 'Following').waitFor();
    await moveTo(page, '/profile?tab=following');
    await page.getByText('Feature in North Star').waitFor();

    // Such an environment is not added to new projects, but has tokens like any other.
    await api.ask('POST /api/admin/environments/development/off');
    await moveTo(page, '/admin/api?create=true');
    await page.getByRole('combobox', { name: 'Environment' }).click();
    await page.getByRole('option', { name: 'development' }).waitFor();
  });

  test('a role is copied, changed and compared with the original; the retention page explains its effect', async ({
    api,
    page,
    visit,
  }) => {
    await visit('/admin/roles?create=true');
    await page.getByRole('textbox', { name: 'Name' }).fill('Release manager');
    await page.getByRole('combobox', { name: 'Copy permissions from' }).click();
    await page.getByRole('option', { name: 'Member' }).click();
    await button(page, 'Create role').click();
    await page.getByRole('heading', { name: 'Release manager', level: 1 }).waitFor();
    await page.getByLabel('Archive and delete features').uncheck();
    await page.getByLabel('Create project API tokens').check();
    await page.getByText('2 unsaved changes').waitFor();
    await button(page, 'Save changes').click();
    await page.getByText('Role Release manager saved').waitFor();
    const role = (await locationOf(page)).pathname.split('/').at(-1);
    const { permissions } = (await api.ask(`GET /api/admin/roles/${role}`)).json();
    const names = permissions.map(({ name }: { name: string }) => name);
    expect(names).toContain('CREATE_PROJECT_API_TOKEN');
    expect(names).not.toContain('DELETE_FEATURE');
    await page.getByRole('combobox', { name: 'Compare with' }).click();
    await page.getByRole('option', { name: 'Member' }).click();
    await page.getByText('2 differences between Release manager and Member').waitFor();
    expect((await locationOf(page)).searchParams.get('compare')).toBe('5');

    await moveTo(page, '/admin/retention');
    await page.getByRole('radio', { name: 'For a number of days' }).check();
    await page.getByText('permanently deleted within an hour').waitFor();
    await button(page, 'Save changes').click();
    const days = async () => (await api.ask('GET /api/admin/settings/retention')).json().eventDays;
    await expect.poll(days).toBe(730);
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
