import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createPasswordLink, createPerson } from '../../../src/modules/access/users/index.ts';
import { testActor } from '../../support/app.ts';
import { faultsOf } from '../../support/axe.ts';
import { withBrowser } from '../../support/browser.ts';
import { moveTo, pageTest, untilNoticed } from '../../support/page-test.ts';
import { askWith, cookieOf, goodPassword, logIn } from '../../support/visitor.ts';

const test = pageTest();

const alert = (page: Page) => page.getByRole('alert');
const sessionsUrl = 'GET /api/admin/user/sessions';

withBrowser('sign-in in a browser', () => {
  test('a user signs in with the keyboard, creates a token, ends another session and signs out', async ({
    api,
    page,
    origin,
  }) => {
    // Names are never read as HTML.
    const name = '<img src=x onerror=alert(1)>';
    const ada = { username: 'ada', email: 'ada@example.com', password: goodPassword };
    const { id } = await api.transact(testActor, (tx) =>
      createPerson(tx, { ...ada, name, rootRole: 3 }),
    );
    const elsewhere = cookieOf(await logIn(api, ada, { headers: { 'user-agent': 'Old phone' } }));

    // Where the account signed in before.
    await page.goto(`${origin}/account`);
    await page.getByLabel('Username or email').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    // The first field has the focus.
    await page.keyboard.type('ada');
    await page.keyboard.press('Enter');
    await expect.poll(() => alert(page).textContent()).toBe('Fill in all required fields');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await expect.poll(() => alert(page).textContent()).toBe('Wrong username or password');
    await page.getByRole('textbox', { name: 'Password' }).focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(goodPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/profile`);
    await page.getByText('ada@example.com').waitFor();
    // Scripts cannot read the cookie.
    expect(await page.evaluate('document.cookie')).toBe('');

    await moveTo(page, '/');
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(await page.locator('img[src=x]').count()).toBe(0);

    await moveTo(page, '/profile?tab=tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Description').fill('Release script');
    await page.getByRole('button', { name: 'Create token' }).click();
    const secret = await page.getByTestId('secret').innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Release script').waitFor();
    await expect.poll(() => page.content()).not.toContain(secret);
    const answer = await api.ask('GET /api/admin/user', { headers: { authorization: secret } });
    expect(answer.json().user.username).toBe('ada');

    await page.getByRole('tab', { name: 'Sessions' }).click();
    await page.waitForURL(`${origin}/profile?tab=sessions`);
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await expect.poll(() => sessions.count()).toBe(2);
    await page.getByText('Current session').waitFor();
    expect((await askWith(api, elsewhere, sessionsUrl)).statusCode).toBe(200);
    await page.getByRole('button', { name: 'Sign out Old phone' }).click();
    await untilNoticed(page, 'Session signed out');
    await expect.poll(() => sessions.count()).toBe(1);
    expect((await askWith(api, elsewhere, sessionsUrl)).statusCode).toBe(401);

    // Data left in the browser is removed as well.
    await page.evaluate(
      `localStorage.setItem('burgee-log-views', 'secret plans'); sessionStorage.setItem('burgee draft secret plans', '')`,
    );
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(`${origin}/login`);
    const left = 'JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])';
    expect(await page.evaluate(left)).not.toContain('secret plans');
    // The device cookie stays. It gives no access.
    expect((await page.context().cookies()).map((cookie) => cookie.name)).toEqual([
      'burgee-device',
    ]);
    expect(
      await api.db.selectFrom('sessions').where('user_id', '=', id).select('id').execute(),
    ).toEqual([]);
  });

  test('an invitation can be used once to set a password, which also signs in', async ({
    api,
    page,
    origin,
  }) => {
    const { id } = await api.transact(testActor, (tx) =>
      createPerson(tx, { username: 'invited', name: 'Grace', rootRole: 3 }),
    );
    const { secret } = await api.transact(testActor, (tx) =>
      createPasswordLink(tx, id, 'invitation'),
    );
    await page.goto(`${origin}/new-user?token=${secret}`);
    await page.getByText('Hi Grace').waitFor();
    const set = async (password: string, repeated: string) => {
      await page.getByRole('textbox', { name: 'New password', exact: true }).fill(password);
      await page.getByRole('textbox', { name: 'Confirm new password' }).fill(repeated);
      await page.getByRole('button', { name: 'Set password' }).click();
    };
    await set('short', 'other');
    await expect.poll(() => alert(page).textContent()).toBe("Passwords don't match");
    await set('short', 'short');
    await expect.poll(() => alert(page).textContent()).toContain('Password must have at least');
    await set(goodPassword, goodPassword);
    // The new user is signed in at once.
    await page.waitForURL(`${origin}/`);
    await page.getByRole('heading', { level: 1, name: /Grace/ }).waitFor();

    await page.goto(`${origin}/new-user?token=${secret}`);
    await expect.poll(() => alert(page).textContent()).toContain('This link is invalid');
    expect((await logIn(api, { username: 'invited', password: goodPassword })).statusCode).toBe(
      200,
    );
  });
});
