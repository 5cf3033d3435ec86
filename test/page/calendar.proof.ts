import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { appOn } from '../support/app.ts';
import { faultsOf, wcag } from '../support/axe.ts';
import { patienceMs, withBrowser } from '../support/browser.ts';
import { featuresOn } from '../support/features.ts';
import { make } from '../support/make.ts';
import { complaintsOf, pageTest, signInTo } from '../support/page-test.ts';
import { person } from '../support/people.ts';

const test = pageTest();

const nextYear = new Date().getFullYear() + 1;

/** The last Sunday of March, when clocks in Oslo skip the hour from 2 to 3. */
function clocksForward(): string {
  const day = new Date(Date.UTC(nextYear, 2, 31));
  day.setUTCDate(31 - day.getUTCDay());
  return day.toISOString().slice(0, 10);
}

const row = (page: Page) => page.getByRole('listitem').filter({ hasText: 'planned' });

withBrowser('the calendar', () => {
  test('shows a schedule from its creation until it is applied, and another one that is suspended', async ({
    api,
    browser,
    origin,
  }) => {
    await appOn(api, { jobs: 'on' });
    await make(api.ask).feature('planned');
    const context = await browser.newContext({
      timezoneId: 'Europe/Oslo',
      reducedMotion: 'reduce',
      viewport: { width: 1280, height: 900 },
    });
    context.setDefaultTimeout(patienceMs);
    const ada = await signInTo(api, context, origin);
    const page = await context.newPage();
    const complaints = complaintsOf(page);

    await page.goto(`${origin}/projects/default/features/planned`);
    await page.getByRole('button', { name: 'Actions for production' }).click();
    await page.getByRole('menuitem', { name: 'Enable at a later time…' }).click();
    await page.getByLabel('When').fill(`${clocksForward()}T02:30`);
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.getByText('Scheduled to enable planned in production').waitFor();
    await page.getByRole('link', { name: /^Scheduled: / }).waitFor();
    await page.getByRole('link', { name: 'Calendar of planned' }).click();

    await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor();
    await page.getByText('Times are in Europe/Oslo.').waitFor();
    // Clocks skip this hour, so the time is the one after it.
    await row(page).getByText('3:30').waitFor();
    await row(page).getByText('Scheduled', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('feature')).toBe('planned');
    expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);

    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByTestId('calendar-link').innerText();
    const file = async () => {
      const { pathname, search } = new URL(link);
      return api.app.inject({ url: `${pathname}${search}` });
    };
    expect((await file()).body).toContain('SUMMARY:1 change to planned in production');
    expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);
    await page.getByRole('button', { name: 'Revoke the link for Feature planned' }).click();
    await page.getByText('Calendar link revoked').waitFor();
    expect((await file()).statusCode).toBe(404);
    await page.keyboard.press('Escape');

    // Another day, then in a moment.
    await row(page).getByRole('link', { name: '1 change to planned in production' }).click();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await page.locator('input[type=datetime-local]').fill(`${nextYear}-05-03T09:15`);
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.getByText('Change request scheduled').first().waitFor();
    await page.goto(`${origin}/calendar?feature=planned`);
    await row(page).getByText('9:15').waitFor();
    const session = {
      cookie: (await context.cookies()).map((c) => `${c.name}=${c.value}`).join('; '),
    };
    const soon = await api.app.inject({
      method: 'PUT',
      url: `/api/admin/projects/default/change-requests/${id}/state`,
      headers: session,
      payload: {
        state: 'Scheduled',
        scheduledAt: new Date(Date.now() + 2_000).toISOString(),
      },
    });
    expect(soon.statusCode, soon.body).toBe(200);
    await row(page).getByText('Applied', { exact: true }).waitFor();
    expect(await featuresOn(api).isOn('planned', 'production')).toBe(true);

    // A schedule whose strategy someone else changes.
    await make(api.ask).feature('touched');
    const strategies =
      '/api/admin/projects/default/features/touched/environments/production/strategies';
    const strategy = { name: 'flexibleRollout', parameters: { rollout: '50' } };
    const { id: strategyId } = (await api.ask(`POST ${strategies}`, { payload: strategy })).json();
    const proposed = await api.app.inject({
      method: 'POST',
      url: '/api/admin/projects/default/environments/production/change-requests',
      headers: session,
      payload: {
        feature: 'touched',
        action: 'updateStrategy',
        payload: { id: strategyId, ...strategy, parameters: { rollout: '100' } },
      },
    });
    expect(proposed.statusCode, proposed.body).toBe(200);
    const scheduled = await api.app.inject({
      method: 'PUT',
      url: `/api/admin/projects/default/change-requests/${proposed.json().id}/state`,
      headers: session,
      payload: { state: 'Scheduled', scheduledAt: `${nextYear}-05-03T09:15:00Z` },
    });
    expect(scheduled.statusCode, scheduled.body).toBe(200);
    const titled = await api.app.inject({
      method: 'PUT',
      url: `/api/admin/projects/default/change-requests/${proposed.json().id}/title`,
      headers: session,
      payload: { title: 'Spring sale' },
    });
    expect(titled.statusCode, titled.body).toBe(204);
    await page.goto(`${origin}/calendar`);
    // Its own title doesn't name the feature.
    const touched = page
      .getByRole('listitem')
      .filter({ hasText: 'Spring sale' })
      .filter({ hasText: 'touched' });
    await touched.getByText('Scheduled', { exact: true }).waitFor();
    const other = await person(api, { rootRole: 1 });
    await other.ask(`PUT ${strategies}/${strategyId}`, {
      payload: { ...strategy, parameters: { rollout: '10' } },
    });
    await touched.getByText('Suspended', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Notifications, .* unread$/ }).click();
    await page.getByText(/suspended the schedule of/).waitFor();
    expect(ada.id).toBeGreaterThan(0);

    await page.setViewportSize({ width: 360, height: 800 });
    await page.keyboard.press('Escape');
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(360);
    expect(complaints.list).toEqual([]);
    complaints.stop();
    await context.close();
  });
});
