import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../../test/support/app.ts';
import { launchBrowser, withBrowser } from '../../../../../test/support/browser.ts';
import {
  askWith,
  cookieOf,
  goodPassword,
  logIn,
  newcomer,
} from '../../../../../test/support/visitor.ts';
import { createPasswordLink, createPerson } from '../../users/index.ts';

/** A busy machine takes longer than the default of one second. */
const patience = { timeout: 60_000 };

let on: TestApp;
let origin: string;
let browser: Browser | undefined;
let context: BrowserContext;
let page: Page;
/** What the browser blocked, and uncaught errors of scripts. */
let complaints: string[];

beforeAll(async () => {
  on = await testApp();
  origin = await on.app.listen({ port: 0, host: '127.0.0.1' });
  // The last resource is closed first: the server would wait for the browser's connections.
  browser = await launchBrowser();
});

beforeEach(async () => {
  complaints = [];
  if (!browser) return;
  context = await browser.newContext();
  await context.exposeFunction('complain', (words: string) => void complaints.push(words));
  await context.addInitScript(`
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      complain('policy: ' + violatedDirective + ' ' + blockedURI));`);
  page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => void complaints.push(String(error)));
});

afterEach(async () => {
  await context.close();
  expect(complaints).toEqual([]);
});

const open = (path: string) => page.goto(`${origin}${path}`);
const alert = () => page.locator('#problem');
const sessionsUrl = 'GET /api/admin/user/sessions';

async function signInAs(username: string, password = goodPassword) {
  await open('/login');
  await page.getByLabel('User name or e-mail').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

withBrowser('in a browser', () => {
  test('somebody signs in, ends another session and signs out', async () => {
    const ada = await newcomer(on, { username: 'ada', email: 'ada@example.com' });
    const elsewhere = cookieOf(await logIn(on, ada, { headers: { 'user-agent': 'Old phone' } }));

    await signInAs('ada');
    await page.waitForURL(`${origin}/`);
    await open('/account');
    await page.getByText('ada@example.com').waitFor();
    expect(await page.locator('#sessions li').count()).toBe(2);
    await page.getByText(/^This browser/).waitFor();
    // Scripts cannot read the cookie.
    expect(await page.evaluate('document.cookie')).toBe('');

    expect((await askWith(on, elsewhere, sessionsUrl)).statusCode).toBe(200);
    await page.getByRole('button', { name: 'End the session of Old phone' }).click();
    await page.getByText('The session is ended.').waitFor();
    expect(await page.locator('#sessions li').count()).toBe(1);
    expect((await askWith(on, elsewhere, sessionsUrl)).statusCode).toBe(401);

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL(`${origin}/login`);
    // The device cookie stays. It gives no access.
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['burgee-device']);
    await open('/account');
    await page.waitForURL(`${origin}/login`);
    expect(
      await on.db.selectFrom('sessions').where('user_id', '=', ada.id).select('id').execute(),
    ).toEqual([]);
  });

  test('a wrong password is said aloud, and the keyboard is enough', async () => {
    const { username } = await newcomer(on);
    await open('/login');
    // The first field has the focus.
    await page.keyboard.type(username);
    await page.keyboard.press('Enter');
    await expect.poll(() => alert().textContent(), patience).toBe('Please fill in what is missing');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => alert().textContent(), patience)
      .toBe('The user name or the password is wrong');
    expect(await alert().getAttribute('role')).toBe('alert');
    await page.getByLabel('Password').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(goodPassword);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/`);
  });

  test('what somebody is called is never read as HTML', async () => {
    const name = '<img src=x onerror=alert(1)>';
    await on.transact(testActor, (tx) =>
      createPerson(tx, { username: 'mallory', name, password: goodPassword, rootRole: 3 }),
    );
    await signInAs('mallory');
    await page.waitForURL(`${origin}/`);
    await open('/account');
    await expect.poll(() => page.locator('#lead').textContent(), patience).toBe(name);
    expect(await page.locator('img').count()).toBe(1);
  });

  test('an invitation leads to a password, once', async () => {
    const { id } = await on.transact(testActor, (tx) =>
      createPerson(tx, { username: 'invited', name: 'Grace', rootRole: 3 }),
    );
    const { secret } = await on.transact(testActor, (tx) =>
      createPasswordLink(tx, id, 'invitation'),
    );
    await open(`/new-user?token=${secret}`);
    await page.getByText('Hello Grace').waitFor();
    await page.getByLabel('New password').fill('short');
    await page.getByLabel('Repeat the password').fill('other');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await expect
      .poll(() => alert().textContent(), patience)
      .toBe('The two passwords are not the same');
    await page.getByLabel('Repeat the password').fill('short');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await expect
      .poll(() => alert().textContent(), patience)
      .toContain('The password must have at least');
    await page.getByLabel('New password').fill(goodPassword);
    await page.getByLabel('Repeat the password').fill(goodPassword);
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('The password is set').waitFor();

    await open(`/new-user?token=${secret}`);
    await expect.poll(() => alert().textContent(), patience).toContain('This link was used');
    await signInAs('invited');
    await page.waitForURL(`${origin}/`);
  });

  test('an invite link leads to an account', async () => {
    const payload = {
      name: 'Spring',
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    };
    const link = (await on.ask('POST /api/admin/invite-link/tokens', { payload })).json();
    await open(`/new-user?invite=${link.secret}`);
    await page.getByLabel('Name', { exact: true }).fill('Lin');
    await page.getByLabel('E-mail').fill('lin@example.com');
    await page.getByLabel('Password').fill(goodPassword);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.waitForURL(`${origin}/`);
    await open('/account');
    await page.getByText('lin@example.com').waitFor();
  });

  test('a useless link, an address to write to, and a refusal of single sign-on have their words', async () => {
    await open('/new-user?invite=nonsense');
    await expect.poll(() => alert().textContent(), patience).toContain('This link was used');
    await open('/forgotten-password');
    await page.getByLabel('E-mail').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('If somebody here has this address').waitFor();
    await open('/login?error=account-unknown');
    await page.getByText('You have no account here yet').waitFor();
    await open('/login?error=constructor');
    await page.getByText('Signing in did not work').waitFor();
  });
});
