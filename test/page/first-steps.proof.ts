import { expect } from 'vitest';
import { prepareInstallation } from '../../src/app/installation.ts';
import { transactOn } from '../../src/app/transact.ts';
import { appOn } from '../support/app.ts';
import { faultsOf, wcag } from '../support/axe.ts';
import { withBrowser } from '../support/browser.ts';
import { testDatabase } from '../support/database.ts';
import { pageTest } from '../support/page-test.ts';
import { goodPassword } from '../support/visitor.ts';

let adminToken: string | undefined;

/** A fresh installation after `npm start`: nothing is configured, and the start generates a token. */
const test = pageTest(async () => {
  const { connection, db } = await testDatabase('migrated');
  const { generatedToken } = await prepareInstallation(transactOn(db), {
    initialTokens: { admin: [], client: [], frontend: [] },
    encryptionKeys: [],
    signingKeyFile: undefined,
    firstAdministrator: { username: 'admin', password: goodPassword },
  });
  adminToken = generatedToken;
  return appOn({ connection, db });
});

withBrowser('the first steps', () => {
  test('are disabled for viewers, with the missing permission', async ({ page, visit }) => {
    await visit('/', { rootRole: 3 });
    await page.getByText('Four steps to your first feature').waitFor();
    for (const [name, permission] of [
      ['New feature', 'CREATE_FEATURE'],
      ['Create token', 'CREATE_PROJECT_API_TOKEN'],
    ] as const) {
      const button = page.getByRole('button', { name });
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      expect(await button.getAttribute('aria-description')).toContain(permission);
    }
    expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);
  });

  test('create a token on the same page, and do not count the generated admin token', async ({
    api,
    page,
    visit,
  }) => {
    const headers = { authorization: adminToken };
    const made = (
      await api.ask('GET /api/admin/search/events?type=IS:api-token-created', { headers })
    ).json();
    expect(made.total).toBe(1);
    await visit('/');
    await page.getByText('Four steps to your first feature').waitFor();
    await expect.poll(() => page.getByRole('img', { name: 'To do' }).count()).toBe(4);

    // The navigation says what to do next, and Home is without the events of the start.
    await page.getByText('Next: Create a feature').waitFor();
    const activity = page.getByRole('region', { name: 'Recent activity' });
    await activity.getByRole('listitem').first().waitFor();
    expect(await activity.getByText('System').count()).toBe(0);

    // The token is created in place, and the code below has its secret.
    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: false }).fill('shop');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const secret = (await dialog.getByTestId('secret').textContent()) ?? '';
    expect(secret).toMatch(/^default:development\./);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('tab', { name: 'Java' }).waitFor();
    await page.getByRole('tab', { name: '.NET' }).click();
    await page.getByRole('tabpanel').getByText(secret).waitFor();
    await expect.poll(() => page.getByRole('img', { name: 'Done' }).count()).toBe(1);

    // As curl does, without registering an application.
    await api.ask('GET /api/client/features', { headers: { authorization: secret } });
    await expect.poll(() => page.getByRole('img', { name: 'Done' }).count()).toBe(2);
  });
});
