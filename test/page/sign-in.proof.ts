import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { appOn } from '../support/app.ts';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { complaintsOf, fillSignIn, pageTest } from '../support/page-test.ts';
import { goodPassword, newcomer } from '../support/visitor.ts';

const test = pageTest();

const alert = (page: Page) => page.getByRole('alert');

withBrowser('sign-in in a browser', () => {
  test('drafts in the browser belong to their user, and are removed on sign-out', async ({
    api,
    page,
    origin,
  }) => {
    const feature = 'secret-plans';
    await make(api.ask).feature(feature);
    const [ada, bob] = [await newcomer(api, { rootRole: 2 }), await newcomer(api, { rootRole: 2 })];
    const address = `${origin}/projects/default/features/${feature}`;
    const field = page.getByRole('textbox', { name: 'Description' });
    const change = page.getByRole('button', { name: 'Edit description' });
    const arrive = async ({ username }: typeof ada) => {
      await page.goto(`${origin}/login`);
      await fillSignIn(page, username);
      await page.waitForURL(`${origin}/`);
      await page.goto(address);
    };
    const left = () =>
      page.evaluate<string>(
        'JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])',
      );

    await arrive(ada);
    await change.click();
    await field.fill('begun by Ada');
    expect(await left()).toContain('begun by Ada');
    // The session ends, and someone else signs in in the same tab.
    await page.context().clearCookies();
    await arrive(bob);
    await change.waitFor();
    expect(await field.count()).toBe(0);
    await page.context().clearCookies();
    await arrive(ada);
    await expect.poll(() => field.inputValue()).toBe('begun by Ada');

    await page.evaluate(
      `localStorage.setItem('burgee-log-views', '${feature}'); sessionStorage.setItem('burgee draft ${feature}', '')`,
    );
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(`${origin}/login`);
    expect(await left()).not.toContain(feature);
  });

  test('sign-in and navigation work if BASE_URL has a path', async ({ api, context, origin }) => {
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    onTestFinished(async () => {
      await page.unrouteAll({ behavior: 'wait' });
      await page.close();
    });
    const below = await appOn(api, { config: { baseUrl: `${origin}/fl'ags` } });
    // What a proxy does that passes a path on: it takes the prefix away.
    await page.route(`${origin}/fl'ags/**`, async (route) => {
      const request = route.request();
      const url = request.url().slice(`${origin}/fl'ags`.length);
      const answer = await below.app.inject({
        method: request.method() as 'GET',
        url,
        headers: await request.allHeaders(),
        ...(request.postData() !== null && { payload: request.postData() as string }),
      });
      await route.fulfill({
        status: answer.statusCode,
        headers: Object.fromEntries(
          Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
        ),
        body: answer.rawPayload,
      });
    });
    // A stream has no end, and would keep this proxy waiting for it.
    await page.addInitScript('window.EventSource = class { close() {} addEventListener() {} };');
    const { username } = await newcomer(api);
    await page.goto(`${origin}/fl'ags/projects/default`);
    await page.waitForURL(/fl'ags\/login\?redirect=/);
    await fillSignIn(page, username);
    await page.waitForURL(`${origin}/fl'ags/projects/default`);
    await page.getByRole('heading', { level: 1, name: 'Default' }).waitFor();
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await navigation.getByRole('link', { name: 'Event log' }).click();
    await page.waitForURL(`${origin}/fl'ags/history`);
    expect(complaints.list).toEqual([]);
  });

  test('an invalid link, a password reset and failed single sign-on have clear messages', async ({
    page,
    origin,
  }) => {
    await page.goto(`${origin}/new-user?invite=nonsense`);
    await expect.poll(() => alert(page).textContent()).toContain('This link is invalid');
    // This server has no mail settings.
    await page.goto(`${origin}/forgotten-password`);
    await page.getByText('Ask an admin for a reset link').waitFor();
    expect(await page.getByLabel('Email').count()).toBe(0);
    await page.route('**/auth/providers', (route) =>
      route.fulfill({
        json: { password: true, oidc: false, resetByEmail: true, firstSignIn: false },
      }),
    );
    await page.reload();
    await page.getByLabel('Email').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send reset link' }).click();
    await page.getByText("If there's an account with this email").waitFor();
    await page.goto(`${origin}/login?error=account-unknown`);
    await page.getByText("You don't have an account yet").waitFor();
    await page.goto(`${origin}/login?error=constructor`);
    await page.getByText("Couldn't sign you in").waitFor();
  });

  test('an invite link creates an account', async ({ api, page, origin }) => {
    const payload = {
      name: 'Spring',
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    };
    const link = (await api.ask('POST /api/admin/invite-link/tokens', { payload })).json();
    await page.goto(`${origin}/new-user?invite=${link.secret}`);
    await page.getByLabel('Name', { exact: true }).fill('Lin');
    await page.getByLabel('Email').fill('lin@example.com');
    await page.getByRole('textbox', { name: 'Password' }).fill(goodPassword);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(`${origin}/`);
    await page.getByRole('heading', { level: 1, name: /Lin/ }).waitFor();
  });
});
