import { expect } from 'vitest';
import { prepareInstallation } from '../../src/app/installation.ts';
import { transactOn } from '../../src/app/transact.ts';
import { appOn } from '../support/app.ts';
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
  test('do not count the generated admin token as the token to create', async ({
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
    expect(await page.getByRole('img', { name: 'To do' }).count()).toBe(4);

    const answer = await api.ask('POST /api/admin/api-tokens', {
      headers,
      payload: { tokenName: 'shop', type: 'client', environment: 'development', projects: ['*'] },
    });
    expect(answer.statusCode).toBe(201);
    await expect.poll(() => page.getByRole('img', { name: 'Done' }).count()).toBe(1);
  });
});
