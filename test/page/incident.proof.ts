import { expect } from 'vitest';
import { faultsOnPhone } from '../support/axe.ts';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { locationOf, pageTest } from '../support/page-test.ts';

const test = pageTest();

const admin = '/api/admin/projects/default/features';

withBrowser('the incident view', () => {
  test('shows what changed around a time in an environment, with a link that keeps the time', async ({
    api,
    page,
    visit,
  }) => {
    for (const name of ['switched', 'elsewhere']) await make(api.ask).feature(name);
    await api.ask(`POST ${admin}/switched/environments/production/on`);
    await api.ask(`POST ${admin}/elsewhere/environments/development/on`);
    await visit('/history', { rootRole: 3 });
    await page.getByRole('link', { name: 'Incident view' }).click();
    const change = page.getByRole('region', { name: 'switched' });
    await change.getByText('Not created → Enabled').waitFor();
    await change.getByText('Not evaluated').waitFor();
    await page
      .getByRole('region', { name: 'elsewhere' })
      .getByText('Not created → Disabled')
      .waitFor();
    await page.getByText('Enabled 1', { exact: true }).click();
    await page.getByRole('region', { name: 'elsewhere' }).waitFor({ state: 'detached' });
    await change
      .getByRole('button', { name: /^Show diff/ })
      .first()
      .click();
    await change.getByText('"name": "switched"').first().waitFor();
    const { searchParams } = await locationOf(page);
    expect(searchParams.get('at')).toMatch(/:00\.000Z$/);
    expect(searchParams.get('environment')).toBe('production');
    await page.getByLabel('Time').fill('2020-01-01T12:00');
    await page.getByText('No changes').waitFor();
    expect((await locationOf(page)).searchParams.get('at')).toMatch(/^(2019-12-31|2020-01-0[12])T/);
    expect(await faultsOnPhone(page)).toEqual([]);
  });
});
