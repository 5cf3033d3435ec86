import { expect } from 'vitest';
import { appOn } from '../support/app.ts';
import { faultsOf, wcag } from '../support/axe.ts';
import { withBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { make } from '../support/make.ts';
import {
  clientId,
  clientSecret,
  startProvider,
  type TestProvider,
} from '../support/oidc/provider.ts';
import { offer } from '../support/oidc/sign-in-through.ts';
import { pageTest } from '../support/page-test.ts';

const test = pageTest();

/** The server to which the provider sends users back. */
let home: string;
let provider: TestProvider;

withBrowser('single sign-on', () => {
  test.beforeAll(async ({ api }) => {
    const port = await freePort();
    const host = '127.0.0.1';
    home = `http://${host}:${port}`;
    provider = await startProvider({ redirectUri: `${home}/auth/oidc/callback` });
    const server = await appOn(api, { config: { baseUrl: home } });
    await server.app.listen({ port, host });
    await make(api.ask).feature('behind-sso');
  });

  test('is set up, signs users in and out, and shows why it failed', async ({ page, signIn }) => {
    await signIn();
    await page.goto(`${home}/admin/auth`);
    await page.getByText(`${home}/auth/oidc/callback`).waitFor();
    await page.getByRole('switch', { name: 'Enable single sign-on' }).check();
    await page.getByLabel('Issuer URL').fill(provider.issuer);
    await page.getByLabel('Client ID').fill(clientId);
    await page.getByRole('textbox', { name: 'Client secret' }).fill(clientSecret);
    await page.getByRole('switch', { name: 'Auto-create users' }).check();
    await page.getByRole('button', { name: 'Test connection' }).click();
    const results = page.getByRole('status', { name: 'Test results' });
    await results.getByText('Passed: ').first().waitFor();
    expect(await results.getByText('Failed: ').count()).toBe(0);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('link', { name: 'Try signing in' }).waitFor();
    expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);
    await page.context().clearCookies();

    // The user returns to the page that was requested.
    provider.signIn('ada', { email: 'ada@example.com', email_verified: true, name: 'Ada' });
    await page.goto(`${home}/projects/default/features/behind-sso`);
    await page.getByRole('link', { name: 'Sign in with SSO' }).click();
    await page.waitForURL(`${home}/projects/default/features/behind-sso`);
    await page.getByRole('heading', { level: 1, name: 'behind-sso' }).waitFor();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByText('ada@example.com').waitFor();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(`${home}/login`);
    await page.goto(`${home}/search`);
    await page.waitForURL(/\/login\?redirect=/);

    // Users who cancel at the provider can try again.
    await page.context().clearCookies();
    provider.refuse();
    await page.getByRole('link', { name: 'Sign in with SSO' }).click();
    await page.waitForURL(/\/login\?error=/);
    await page.getByRole('alert').waitFor();
    provider.signIn('ada', { email: 'ada@example.com', email_verified: true, name: 'Ada' });
    await page.getByRole('link', { name: 'Sign in with SSO' }).click();
    await page.waitForURL(`${home}/search`);
    await page.getByRole('heading', { level: 1, name: 'Features' }).waitFor();
  });

  test('continues in a small window after the session has ended', async ({ api, page }) => {
    await offer(api, provider);
    const lin = { email: 'lin@example.com', email_verified: true, name: 'Lin' };
    provider.signIn('lin', lin);
    await page.goto(`${home}/login?redirect=/history`);
    await page.getByRole('link', { name: 'Sign in with SSO' }).click();
    await page.waitForURL(`${home}/history`);
    const search = page.getByLabel('Search events');
    await search.fill('behind');
    await page
      .getByRole('status')
      .getByText(/events?$/)
      .waitFor();
    await page.context().clearCookies();
    await search.fill('behind-sso');
    const dialog = page.getByRole('dialog', { name: 'Session expired' });
    provider.refuse();
    const opened = page.waitForEvent('popup');
    await dialog.getByRole('button', { name: 'Sign in with SSO' }).click();
    const window = await opened;
    // Users who cancel there can try again there.
    await window.getByRole('alert').waitFor();
    provider.signIn('lin', lin);
    await window.getByRole('link', { name: 'Sign in with SSO' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => window.isClosed()).toBe(true);
    expect((await search.inputValue()).trim()).toBe('behind-sso');
    await page
      .getByRole('status')
      .getByText(/^1 (of \d+ events|event)$/)
      .waitFor();
    await page.goto('about:blank');
  });
});
