import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { startSdk } from '../../sdk/server-sdk.ts';
import { faultsOf, faultsOnPhone } from '../../support/axe.ts';
import { withBrowser } from '../../support/browser.ts';
import { featuresOn } from '../../support/features.ts';
import { make } from '../../support/make.ts';
import { fillSignIn, moveTo, pageTest, untilLive, untilNoticed } from '../../support/page-test.ts';
import { newcomer } from '../../support/visitor.ts';
import { expectEarlyRead } from '../first-load.ts';

const test = pageTest();

const control = (page: Page, name: string) => page.getByRole('switch', { name });

/** The Undo of one of the notices that are shown. */
const undo = (page: Page, notice: string) =>
  page.getByRole('alert').filter({ hasText: notice }).getByRole('button', { name: 'Undo' });

interface Window {
  readonly getComputedStyle: (element: unknown) => { readonly backgroundColor: string };
}

const backgroundOf = (element: unknown): string =>
  (globalThis as unknown as Window).getComputedStyle(element).backgroundColor;

withBrowser('the UI', () => {
  test('leads a new user from sign-in to a feature that is enabled in an SDK', async ({
    api,
    page,
    origin,
  }) => {
    const { username } = await newcomer(api, { rootRole: 2 });
    await page.goto(`${origin}/search`);
    await fillSignIn(page, username);
    // Signing in leads to the page that was requested.
    await page.waitForURL(`${origin}/search`);
    await page.getByText('No features yet').waitFor();
    const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]');
    await expect.poll(() => current.allInnerTexts()).toEqual(['Features']);
    await page.getByText(`${origin}/api/admin/projects/default/features`).waitFor();

    await page.getByRole('link', { name: /^Home/ }).click();
    await page.getByText('Four steps to your first feature').waitFor();
    await expect.poll(() => page.getByRole('img', { name: 'To do' }).count()).toBe(4);

    await page.getByRole('link', { name: 'Features' }).click();
    await page.getByRole('button', { name: 'New feature' }).first().click();
    await page.getByLabel('Name').fill('no blanks');
    await page.getByText("Names can't contain spaces").waitFor();
    await page.getByLabel('Name').fill('first-flag');
    await page.getByRole('img', { name: 'Name is available' }).waitFor();
    await page.getByLabel('development').check();
    await page.getByRole('button', { name: 'Create feature' }).click();
    await untilNoticed(page, 'first-flag created');
    await page.waitForURL(`${origin}/projects/default/features/first-flag`);

    // Its page leads on to code, with a token that is created in place.
    await page.getByRole('button', { name: 'Show code' }).click();
    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: false }).fill('shop');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const secret = (await page.getByTestId('secret').textContent()) ?? '';
    expect(secret).toMatch(/^default:development\./);
    await page.getByText(`Authorization: '${secret}'`).waitFor();
    await page.getByText("unleash.isEnabled('first-flag', context)").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByText('Waiting for the first evaluation in development').waitFor();
    await fetch(`${origin}/ofrep/v1/evaluate/flags/first-flag`, {
      method: 'POST',
      headers: { authorization: secret },
    });
    await page.getByText(/Last evaluated in development/).waitFor();

    // The same fetch completes the setup.
    await moveTo(page, '/');
    await page.getByRole('heading', { name: /^Good / }).waitFor();
    await expect.poll(() => page.getByRole('img', { name: 'To do' }).count()).toBe(0);
    expect(await faultsOnPhone(page)).toEqual([]);
    const { unleash, errors } = await startSdk(origin);
    expect([unleash.isEnabled('first-flag'), errors]).toEqual([true, []]);
  });

  test('toggles features with Undo, asks first in production, and reverts what the server rejects', async ({
    api,
    page,
    visit,
  }) => {
    const { isOn } = featuresOn(api);
    for (const name of ['now', 'carefully', 'in-vain'])
      await make(api.ask).feature(`switch-${name}`);
    await visit('/search');
    await control(page, 'switch-now in development').waitFor();
    await expectEarlyRead(page, '/api/admin/search/features');
    await control(page, 'switch-now in development').click();
    await page.getByText('switch-now enabled in development').waitFor();
    // The notice stays while someone points at it.
    const undoFirst = undo(page, 'switch-now enabled in development');
    await undoFirst.hover();
    await expect.poll(() => isOn('switch-now', 'development')).toBe(true);
    expect(await faultsOf(page)).toEqual([]);
    await undoFirst.click();
    await expect.poll(() => isOn('switch-now', 'development')).toBe(false);

    await control(page, 'switch-carefully in production').click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'hidden' });
    expect(await isOn('switch-carefully', 'production')).toBe(false);
    await control(page, 'switch-carefully in production').press('Space');
    await page.getByRole('button', { name: 'Enable', exact: true }).press('Enter');
    const undoProduction = undo(page, 'switch-carefully enabled in production');
    await undoProduction.hover();
    await page.getByText('For everyone').waitFor();
    await expect.poll(() => isOn('switch-carefully', 'production')).toBe(true);
    await undoProduction.click();
    await expect.poll(() => isOn('switch-carefully', 'production')).toBe(false);
    await expect
      .poll(() => control(page, 'switch-carefully in production').isChecked())
      .toBe(false);

    await page.route('**/environments/development/on?propose=true', (route) =>
      route.fulfill({ status: 500, json: { id: 'error-of-the-test', message: 'It broke' } }),
    );
    await control(page, 'switch-in-vain in development').click();
    await page.getByText("Couldn't enable switch-in-vain in development").waitFor();
    await page.getByText('It broke').waitFor();
    await page.getByText('error-of-the-test').waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).waitFor();
    await expect.poll(() => control(page, 'switch-in-vain in development').isChecked()).toBe(false);

    // What someone else does is shown without a reload.
    await page.getByRole('link', { name: 'switch-now' }).click();
    await untilLive(page);
    await control(page, 'switch-now in development').waitFor();
    await make(api.ask).switchedOn('switch-now');
    await expect.poll(() => control(page, 'switch-now in development').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Edit strategy: Everyone' }).waitFor();
  });

  test('disables what a viewer may not do, and says why', async ({ api, page, visit }) => {
    await make(api.ask).feature('read-only');
    await make(api.ask).switchedOn('read-only', { environment: 'production' });
    await visit('/search?query=read-only', { rootRole: 3 });
    const disabled = control(page, 'read-only in development');
    await disabled.waitFor();
    expect(await disabled.isDisabled()).toBe(true);
    const enabled = control(page, 'read-only in production');
    const colorOf = (shown: Locator) => shown.evaluate(backgroundOf);
    expect(await colorOf(enabled)).not.toBe(await colorOf(disabled));
    await page
      .getByRole('row', { name: /read-only/ })
      .getByText('Enabled')
      .waitFor();
    const create = page.getByRole('button', { name: 'New feature', disabled: true });
    await create.waitFor();
    await create.hover();
    await page.getByText(/You need “.*” \(CREATE_FEATURE\)/).waitFor();
    const reason = page.getByText(/You need “.*” \(UPDATE_FEATURE_ENVIRONMENT\)/);
    await disabled.hover();
    await reason.waitFor();
    // Also by keyboard.
    await page.keyboard.press('Escape');
    await reason.waitFor({ state: 'hidden' });
    await disabled.focus();
    await reason.waitFor();
    await page.keyboard.press('Space');
    expect(await disabled.isChecked()).toBe(false);

    await page.getByRole('checkbox', { name: 'Select read-only' }).check();
    const archive = page.getByRole('button', { name: 'Archive…' });
    expect(await archive.getAttribute('aria-disabled')).toBe('true');
    await archive.hover();
    await page.getByText(/You need “.*” \(DELETE_FEATURE\)/).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    const move = page.getByRole('menuitem', { name: 'Move to project…' });
    expect(await move.getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');
    expect(await faultsOnPhone(page)).toEqual([]);
  });
});
