import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { appOn } from '../support/app.ts';
import { withBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { mailbox } from '../support/mailbox.ts';
import { make } from '../support/make.ts';
import { fillSignIn, pageTest } from '../support/page-test.ts';
import { goodPassword } from '../support/visitor.ts';

const test = pageTest();

/** The server to which links in emails lead. */
let home: string;
let mails: string[];

/** The link in the next email to someone. */
async function linkTo(address: string): Promise<string> {
  const find = () => mails.findIndex((mail) => mail.includes(`To: ${address}`));
  await expect.poll(find).not.toBe(-1);
  const [mail = ''] = mails.splice(find(), 1);
  const [link] = mail.match(/http:\/\/\S+/) ?? [];
  if (link === undefined) throw new Error(`There is no link in ${mail}`);
  return link;
}

async function setPassword(page: Page, password: string, confirmation = password) {
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(password);
  await page.getByRole('textbox', { name: 'Confirm new password' }).fill(confirmation);
  await page.getByRole('button', { name: 'Set password' }).click();
}

withBrowser('emails', () => {
  test.beforeAll(async ({ api }) => {
    const port = await freePort();
    const host = '127.0.0.1';
    home = `http://${host}:${port}`;
    const box = await mailbox();
    mails = box.mails;
    const { app } = await appOn(api, { config: { baseUrl: home, mail: box.settings } });
    await app.listen({ port, host });
  });

  test('invite a user to a project, and reset a forgotten password', async ({
    api,
    page,
    signIn,
  }) => {
    await make(api.ask).project('shop', { name: 'Shop' });
    await make(api.ask).feature('in-shop', { project: 'shop' });
    await signIn();
    await page.goto(`${home}/admin/users`);
    await page.getByRole('button', { name: 'Invite user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Grace');
    await dialog.getByLabel('Email').fill('grace@example.com');
    await dialog.getByRole('button', { name: 'Add project' }).click();
    await dialog.getByRole('combobox', { name: 'Project 1', exact: true }).click();
    await page.getByRole('option', { name: 'Shop' }).click();
    await dialog.getByRole('button', { name: 'Invite user' }).click();
    await dialog.getByText('Invite sent to grace@example.com.').waitFor();
    const link = await linkTo('grace@example.com');
    expect(await page.getByTestId('invite-link').textContent()).toContain(link);

    // She opens the link in a browser without a session.
    await page.context().clearCookies();
    await page.goto(link);
    await page.getByText('Hi Grace, set a password to get started').waitFor();
    await setPassword(page, goodPassword, 'something else');
    await page.getByText("Passwords don't match").waitFor();
    await setPassword(page, goodPassword);
    await page.waitForURL(`${home}/`);
    await page.getByRole('heading', { level: 1, name: /Grace/ }).waitFor();
    await page.goto(`${home}/projects/shop/features/in-shop`);
    const toggle = page.getByRole('switch', { name: 'in-shop in development' });
    await toggle.click();
    await page.getByText('in-shop enabled in development').waitFor();
    await page.goto(link);
    await page.getByText('This link is invalid, expired, or already used').waitFor();

    // Weekly emails can be chosen, because she has an address and the server sends mail.
    await page.goto(`${home}/profile?tab=following`);
    await page.getByLabel('Weekly').check();
    await page.getByText('Email notifications set to weekly').waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('Weekly').isChecked()).toBe(true);

    // Other sessions end with a reset, and the old password no longer works.
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(`${home}/login`);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByLabel('Email').fill('Grace@Example.com');
    await page.getByRole('button', { name: 'Send reset link' }).click();
    await page.getByText("If there's an account with this email").waitFor();
    await page.goto(await linkTo('grace@example.com'));
    await page.getByText('For Grace. This signs you out everywhere.').waitFor();
    await setPassword(page, 'another fine phrase 17');
    await page.getByText('Password set. You can now sign in.').waitFor();
    await page.getByRole('link', { name: 'Back to sign in' }).click();
    await fillSignIn(page, 'grace@example.com');
    await page.getByRole('alert').waitFor();
    await fillSignIn(page, 'grace@example.com', 'another fine phrase 17');
    await page.waitForURL(`${home}/`);
    await page.getByRole('heading', { level: 1, name: /Grace/ }).waitFor();
    await page.goto('about:blank');
  });

  test('are not sent to unknown addresses, which the page does not reveal', async ({ page }) => {
    await page.goto(`${home}/forgotten-password`);
    await page.getByLabel('Email').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send reset link' }).click();
    await page.getByText("If there's an account with this email").waitFor();
    expect(mails.filter((mail) => mail.includes('nobody@example.com'))).toEqual([]);
    await page.goto('about:blank');
  });
});
