import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { testApp } from '../support/app.ts';
import { faultsOf, wcag } from '../support/axe.ts';
import { patienceMs, withBrowser } from '../support/browser.ts';
import { featuresOn } from '../support/features.ts';
import { make } from '../support/make.ts';
import { complaintsOf, pageTest, signInTo } from '../support/page-test.ts';

/** The feature was created in the evening of November 9 in New York. */
const created = '2026-11-10T02:30:00.000Z';
const test = pageTest(() => testApp({ clock: () => new Date(created) }));

async function showIn(page: Page, zone: 'UTC' | 'local time') {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: `Show times in ${zone}` }).click();
}

withBrowser('times', () => {
  test("are in the browser's time zone or in UTC: in the log, its queries and dates, and every tab", async ({
    api,
    browser,
    origin,
  }) => {
    await make(api.ask).feature('late');
    const context = await browser.newContext({
      timezoneId: 'America/New_York',
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(patienceMs);
    await signInTo(api, context, origin);
    const page = await context.newPage();
    const other = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${origin}/history?q=feature:late`);
    await other.goto(`${origin}/projects/default/features/late`);
    const dayIn = (day: string) => page.getByRole('heading', { name: day }).or(page.getByText(day));
    await dayIn('Mon, Nov 9').first().waitFor();
    await page.getByText(/9:30:00\sPM/).waitFor();
    const badge = page.getByText('UTC', { exact: true });
    expect(await badge.count()).toBe(0);

    // A day in a query is a day of the zone.
    const found = page.getByRole('status').getByText(/^1 (of \d+ events|event)$/);
    const search = page.getByLabel('Search events');
    await search.fill('feature:late on:2026-11-09');
    await page.keyboard.press('Enter');
    await found.waitFor();

    await showIn(page, 'UTC');
    await badge.waitFor();
    await page.getByText('Remove a filter or widen the time range.').waitFor();
    await search.fill('feature:late on:2026-11-10');
    await page.keyboard.press('Enter');
    await found.waitFor();
    await dayIn('Tue, Nov 10').first().waitFor();
    await page.getByText(/2:30:00\sAM/).waitFor();

    // The other tab follows, and keeps a date that someone is typing there.
    await other.getByText('UTC', { exact: true }).waitFor();
    const expiry = other.locator('input[type=date]');
    await expiry.fill('2099-03-03');
    await expiry.press('Enter');
    await expect
      .poll(async () => (await featuresOn(api).read('late')).expiresAt)
      .toBe('2099-03-03T00:00:00.000Z');
    await other.setViewportSize({ width: 360, height: 740 });
    expect(await other.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await faultsOf(other, { runOnly: wcag })).toEqual([]);
    await other.setViewportSize({ width: 1280, height: 900 });

    await page.reload();
    await badge.waitFor();
    await showIn(page, 'local time');
    await badge.waitFor({ state: 'hidden' });
    await other.getByText('UTC', { exact: true }).waitFor({ state: 'hidden' });
    await expect.poll(() => expiry.inputValue()).toBe('2099-03-02');
    expect(complaints.list).toEqual([]);
    await context.close();
  });
});
