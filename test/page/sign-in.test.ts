import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { createPasswordLink, createPerson } from '../../src/modules/access/users/index.ts';
import { appOn, testActor } from '../support/app.ts';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { complaintsOf, fillSignIn, pageTest } from '../support/page-test.ts';
import { askWith, cookieOf, goodPassword, logIn, newcomer } from '../support/visitor.ts';

const test = pageTest();

const alert = (page: Page) => page.getByRole('alert');
const sessionsUrl = 'GET /api/admin/user/sessions';

withBrowser('sign-in in a browser', () => {
  test('a user signs in, ends another session and signs out', async ({ api, page, origin }) => {
    const ada = await newcomer(api, { username: 'ada', email: 'ada@example.com' });
    const elsewhere = cookieOf(await logIn(api, ada, { headers: { 'user-agent': 'Old phone' } }));

    // Where the account signed in before.
    await page.goto(`${origin}/account`);
    await fillSignIn(page, 'ada');
    await page.waitForURL(`${origin}/profile`);
    await page.getByText('ada@example.com').waitFor();
    // Scripts cannot read the cookie.
    expect(await page.evaluate('document.cookie')).toBe('');

    await page.getByRole('tab', { name: 'Sessions' }).click();
    await page.waitForURL(`${origin}/profile?tab=sessions`);
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await expect.poll(() => sessions.count()).toBe(2);
    await page.getByText('this browser').waitFor();
    expect((await askWith(api, elsewhere, sessionsUrl)).statusCode).toBe(200);
    await page.getByRole('button', { name: 'End the session of Old phone' }).click();
    await page.getByText('The session is ended').waitFor();
    await expect.poll(() => sessions.count()).toBe(1);
    expect((await askWith(api, elsewhere, sessionsUrl)).statusCode).toBe(401);

    await page.getByRole('button', { name: /^Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(`${origin}/login`);
    // The device cookie stays. It gives no access.
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['burgee-device']);
    expect(
      await api.db.selectFrom('sessions').where('user_id', '=', ada.id).select('id').execute(),
    ).toEqual([]);
  });

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
    const change = page.getByRole('button', { name: 'Change the description' });
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
    // The session ends, and another user signs in in the same tab.
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
    await page.getByRole('button', { name: /^Menu of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(`${origin}/login`);
    expect(await left()).not.toContain(feature);
  });

  test('a wrong password is announced, and the keyboard is sufficient', async ({
    api,
    page,
    origin,
  }) => {
    const { username } = await newcomer(api);
    await page.goto(`${origin}/login`);
    await page.getByLabel('User name or e-mail').waitFor();
    // The first field has the focus.
    await page.keyboard.type(username);
    await page.keyboard.press('Enter');
    await expect.poll(() => alert(page).textContent()).toBe('Please fill in what is missing');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => alert(page).textContent())
      .toBe('The user name or the password is wrong');
    await page.getByRole('textbox', { name: 'Password' }).focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(goodPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/`);
  });

  test('a user name is never interpreted as HTML', async ({ api, page, origin }) => {
    const name = '<img src=x onerror=alert(1)>';
    await api.transact(testActor, (tx) =>
      createPerson(tx, { username: 'mallory', name, password: goodPassword, rootRole: 3 }),
    );
    await page.goto(`${origin}/login?redirect=//evil.example`);
    await fillSignIn(page, 'mallory');
    await page.waitForURL(`${origin}/`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(await page.locator('img[src=x]').count()).toBe(0);
  });

  test('an invitation can be used once to set a password', async ({ api, page, origin }) => {
    const { id } = await api.transact(testActor, (tx) =>
      createPerson(tx, { username: 'invited', name: 'Grace', rootRole: 3 }),
    );
    const { secret } = await api.transact(testActor, (tx) =>
      createPasswordLink(tx, id, 'invitation'),
    );
    await page.goto(`${origin}/new-user?token=${secret}`);
    await page.getByText('Hello Grace').waitFor();
    const set = async (password: string, repeated: string) => {
      await page.getByRole('textbox', { name: 'New password' }).fill(password);
      await page.getByRole('textbox', { name: 'Repeat the password' }).fill(repeated);
      await page.getByRole('button', { name: 'Set the password' }).click();
    };
    await set('short', 'other');
    await expect.poll(() => alert(page).textContent()).toBe('The two passwords are not the same');
    await set('short', 'short');
    await expect.poll(() => alert(page).textContent()).toContain('The password must have at least');
    await set(goodPassword, goodPassword);
    await page.getByText('The password is set').waitFor();

    await page.goto(`${origin}/new-user?token=${secret}`);
    await expect.poll(() => alert(page).textContent()).toContain('This link was used');
    await page.goto(`${origin}/login`);
    await fillSignIn(page, 'invited');
    await page.waitForURL(`${origin}/`);
  });

  test('an invite link creates an account', async ({ api, page, origin }) => {
    const payload = {
      name: 'Spring',
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    };
    const link = (await api.ask('POST /api/admin/invite-link/tokens', { payload })).json();
    await page.goto(`${origin}/new-user?invite=${link.secret}`);
    await page.getByLabel('Name', { exact: true }).fill('Lin');
    await page.getByLabel('E-mail').fill('lin@example.com');
    await page.getByRole('textbox', { name: 'Password' }).fill(goodPassword);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.waitForURL(`${origin}/`);
    await page.goto(`${origin}/profile`);
    await page.getByText('lin@example.com').waitFor();
  });

  test('an invalid link, a password reset and failed single sign-on have clear messages', async ({
    page,
    origin,
  }) => {
    await page.goto(`${origin}/new-user?invite=nonsense`);
    await expect.poll(() => alert(page).textContent()).toContain('This link was used');
    await page.goto(`${origin}/forgotten-password`);
    await page.getByLabel('E-mail').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('If somebody here has this address').waitFor();
    await page.goto(`${origin}/login?error=account-unknown`);
    await page.getByText('You have no account here yet').waitFor();
    await page.goto(`${origin}/login?error=constructor`);
    await page.getByText('Signing in did not work').waitFor();
  });

  test('a token is shown once and works in the API', async ({ api, page, origin }) => {
    const { username } = await newcomer(api);
    await page.goto(`${origin}/login?redirect=/profile?tab=tokens`);
    await fillSignIn(page, username);
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('What it is for').fill('Release script');
    await page.getByRole('button', { name: 'Create token' }).click();
    const secret = await page.getByTestId('secret').innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Release script').waitFor();
    await expect.poll(() => page.content()).not.toContain(secret);
    const answer = await api.ask('GET /api/admin/user', { headers: { authorization: secret } });
    expect(answer.json().user.username).toBe(username);
  });

  test('everything works under a path of a host', async ({ api, context, origin }) => {
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    onTestFinished(async () => {
      await page.unrouteAll({ behavior: 'wait' });
      await page.close();
    });
    const below = await appOn(api, { config: { baseUrl: `${origin}/fl'ags` } });
    // Removes the prefix, like a proxy.
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
    // A stream has no end, and this proxy would wait for it.
    await page.addInitScript('window.EventSource = class { close() {} addEventListener() {} };');
    const { username } = await newcomer(api);
    await page.goto(`${origin}/fl'ags/projects/default`);
    await page.waitForURL(/fl'ags\/login\?redirect=/);
    await fillSignIn(page, username);
    await page.waitForURL(`${origin}/fl'ags/projects/default`);
    await page.getByRole('heading', { level: 1, name: 'Default' }).waitFor();
    await page.getByRole('link', { name: 'Event log' }).click();
    await page.waitForURL(`${origin}/fl'ags/history`);
    expect(complaints.list).toEqual([]);
  });
});
