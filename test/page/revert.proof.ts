import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { pageTest } from '../support/page-test.ts';

const test = pageTest();

const admin = '/api/admin/projects/default/features';

const newest = async (
  ask: (path: `GET ${string}`) => Promise<{ json: () => { events: { id: number }[] } }>,
  feature: string,
): Promise<number> => {
  const found = await ask(`GET /api/admin/search/events?limit=1&feature=IS:${feature}`);
  return found.json().events[0]?.id ?? 0;
};

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Revert / });

withBrowser('a revert', () => {
  test('from the incident view takes back everything in the environment, and one feature alone', async ({
    api,
    page,
    visit,
  }) => {
    for (const name of ['incident-a', 'incident-b']) {
      await make(api.ask).feature(name);
      await api.ask(`POST ${admin}/${name}/environments/production/on`);
    }
    await visit('/incident?environment=production');
    const one = page.getByRole('region', { name: 'incident-a' });
    await one.getByRole('button', { name: /^Revert \d+ events? of incident-a/ }).click();
    await dialogOf(page).getByText('incident-a').first().waitFor();
    await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Revert all changes in production' }).click();
    await dialogOf(page).getByText('incident-b in production').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Revert', exact: true }).click();
    await page.getByText(/events reverted/).waitFor();
    await one.getByText('Reverted').first().waitFor();
    for (const name of ['incident-a', 'incident-b']) {
      const feature = (await api.ask(`GET ${admin}/${name}`)).json();
      expect(feature.environments.some(({ enabled }: { enabled: boolean }) => enabled)).toBe(false);
    }
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(async () => (await api.ask(`GET ${admin}/incident-b`)).json().environments)
      .toContainEqual(expect.objectContaining({ name: 'production', enabled: true }));
  });

  test('shows viewers the plan, and which permission they lack', async ({ api, page, visit }) => {
    await make(api.ask).feature('not-mine', { description: 'Old' });
    await api.ask(`PUT ${admin}/not-mine`, { payload: { description: 'New' } });
    const id = await newest(api.ask, 'not-mine');
    await visit(`/history?event=${id}`, { rootRole: 3 });
    await page.getByRole('button', { name: `Revert event #${id}` }).click();
    await dialogOf(page).getByText('Old').waitFor();
    const button = dialogOf(page).getByRole('button', { name: 'Revert', exact: true });
    await expect.poll(() => button.getAttribute('aria-description')).toContain('UPDATE_FEATURE');
    await button.click({ force: true });
    expect((await api.ask(`GET ${admin}/not-mine`)).json().description).toBe('New');
  });

  test('says why nothing can be reverted', async ({ api, page, visit }) => {
    await api.ask('POST /api/admin/api-tokens', {
      payload: { tokenName: 'ci', type: 'client', environment: 'development', projects: ['*'] },
    });
    await visit('/history?q=type:api-token-created');
    await page
      .getByRole('button', { name: /^Open event/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^Revert event #/ }).click();
    await dialogOf(page)
      .getByText("Secrets that were shown or deleted can't be restored")
      .waitFor();
    const button = dialogOf(page).getByRole('button', { name: 'Revert', exact: true });
    expect(await button.getAttribute('aria-description')).toBe('There is nothing to revert');
  });

  test('becomes a draft where changes need approval', async ({ api, page, visit }) => {
    await make(api.ask).project('careful');
    await make(api.ask).feature('approved', { project: 'careful' });
    const path = '/api/admin/projects/careful';
    await api.ask(`POST ${path}/features/approved/environments/production/on`);
    const id = await newest(api.ask, 'approved');
    await api.ask(`PUT ${path}/environments/production/change-requests/config`, {
      payload: { changeRequestsEnabled: true, requiredApprovals: 1 },
    });
    await visit(`/history?event=${id}`);
    await page.getByRole('button', { name: `Revert event #${id}` }).click();
    await dialogOf(page)
      .getByText(/need approval/)
      .waitFor();
    await dialogOf(page).getByRole('button', { name: 'Propose' }).click();
    await page.getByText('Added to your draft for production').waitFor();
    const feature = (await api.ask(`GET ${path}/features/approved`)).json();
    expect(feature.environments).toContainEqual(
      expect.objectContaining({ name: 'production', enabled: true }),
    );
  });
});
