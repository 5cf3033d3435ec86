import { expect } from 'vitest';
import { withBrowser } from '../../support/browser.ts';
import { featuresOn } from '../../support/features.ts';
import { make } from '../../support/make.ts';
import { pageTest, selectedInPalette, typeInPalette, untilLive } from '../../support/page-test.ts';
import { goodPassword } from '../../support/visitor.ts';

const test = pageTest();

withBrowser('the app shell', () => {
  test('finds and toggles a feature with the keyboard, and continues after signing in again', async ({
    api,
    page,
    origin,
    visit,
  }) => {
    for (const name of ['old-checkout', 'checkout-express', 'checkout'])
      await make(api.ask).feature(name);
    await visit('/history');
    await page.getByRole('heading', { level: 1, name: 'Event log' }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('dialog').getByLabel('Search or run a command');
    await field.and(page.locator(':focus')).waitFor();
    await page.getByRole('option', { name: 'Features g f' }).waitFor();
    await page.keyboard.type('checkout');
    const options = page.getByRole('option');
    // The best match is selected once the names have arrived.
    const chosen = page.locator('[data-combobox-selected]');
    await expect.poll(() => chosen.textContent()).toMatch(/^checkout(?!-)/);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => chosen.textContent()).toContain('checkout-express');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/projects/default/features/checkout-express`);
    await page.getByRole('heading', { level: 1, name: 'checkout-express' }).waitFor();
    expect(await page.title()).toBe('checkout-express · Default · Burgee');

    // A feature that someone else has just created is found, too.
    await untilLive(page);
    await make(api.ask).feature('made-meanwhile');
    await typeInPalette(page, 'made-meanwhile');
    await expect.poll(() => options.first().textContent()).toContain('made-meanwhile');
    // Its switches are below, and first if one is asked for; production is the last of them.
    const inProduction = page.getByRole('option', { name: 'Enable in production' });
    await inProduction.waitFor();
    await field.fill('enable made-meanwhile');
    await expect.poll(() => chosen.textContent()).toContain('Enable in development');
    await page.keyboard.press('Enter');
    await page.getByText('made-meanwhile enabled in development').waitFor();
    expect(await featuresOn(api).isOn('made-meanwhile', 'development')).toBe(true);

    // All features are offered that a command may mean.
    await typeInPalette(page, 'enable checkout');
    for (const name of ['old-checkout', 'checkout-express']) {
      await options
        .filter({ hasText: 'Enable in development' })
        .filter({ hasText: name })
        .waitFor();
    }
    await page.keyboard.press('Escape');

    // The last opened feature is first; Esc restores the focus.
    const switches = page.getByRole('switch').first();
    await switches.focus();
    await page.keyboard.press('Control+k');
    await expect.poll(() => options.first().textContent()).toContain('checkout-express');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("role")'))
      .toBe('switch');

    // In production it asks first.
    await typeInPalette(page, 'enable in production');
    await selectedInPalette(page, 'Enable in production').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Press Enter to confirm').waitFor();
    expect(await featuresOn(api).isOn('checkout-express', 'production')).toBe(false);
    await page.keyboard.press('Enter');
    await expect.poll(() => featuresOn(api).isOn('checkout-express', 'production')).toBe(true);

    // A toggle is saved after signing in again.
    const control = page.getByRole('switch', { name: 'checkout-express in development' });
    // The session ends with this request: after another one, the page would ask first and toggle nothing.
    await page.route(
      '**/environments/development/on?propose=true',
      async (route) => {
        await page.context().clearCookies();
        await route.continue();
      },
      { times: 1 },
    );
    await control.press('Space');
    const dialog = page.getByRole('dialog', { name: 'Session expired' });
    await dialog.getByRole('textbox', { name: 'Password' }).fill(goodPassword);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => featuresOn(api).isOn('checkout-express', 'development')).toBe(true);
  });
});
