import { expect } from 'vitest';
import { faultsOf, faultsOnPhone, wcag } from '../../support/axe.ts';
import { withBrowser } from '../../support/browser.ts';
import { featuresOn } from '../../support/features.ts';
import { make } from '../../support/make.ts';
import { locationOf, pageTest, untilNoticed } from '../../support/page-test.ts';
import { person } from '../../support/people.ts';

const test = pageTest();

withBrowser('change requests', () => {
  test('a switch in a protected environment is proposed, reviewed, approved, and applied', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).project('guarded');
    await make(api.ask).feature('careful', { project: 'guarded' });
    await api.ask(
      'PUT /api/admin/projects/guarded/environments/production/change-requests/config',
      { payload: { changeRequestsEnabled: true } },
    );
    // A viewer may not change the feature, but propose it.
    await visit('/projects/guarded/features/careful', { rootRole: 3 });
    // The switch is disabled until the page knows where changes need approval.
    await page
      .getByRole('switch', { name: 'careful in production', disabled: false })
      .press('Space');
    await page.getByRole('button', { name: 'Propose', exact: true }).press('Enter');
    await untilNoticed(page, 'Added to your draft for production');
    const draft = page.getByRole('complementary', { name: 'Draft for production' });
    await draft.getByText('Draft for production: careful').waitFor();
    await page.getByRole('link', { name: 'Draft: Enable in production' }).waitFor();
    expect(await featuresOn(api).isOn('careful', 'production', 'guarded')).toBe(false);

    await draft.getByRole('link', { name: 'Review draft' }).click();
    await page
      .getByRole('heading', { level: 1, name: '1 change to careful in production' })
      .waitFor();
    await page.getByText('Enable in production', { exact: true }).waitFor();
    const effect = page.getByRole('region', { name: 'Effect', exact: true });
    await effect.getByText('Everyone: Disabled → Enabled').waitFor();
    await page.getByRole('button', { name: 'Send to review' }).click();
    await page.getByText('Needs 1 more approval.').waitFor();
    expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);
    const reviewer = await person(api, { rootRole: 1 });
    const { pathname } = await locationOf(page);
    const id = pathname.split('/').at(-1);
    for (const state of ['Approved', 'Applied']) {
      const moved = await reviewer.ask(
        `PUT /api/admin/projects/guarded/change-requests/${id}/state`,
        { payload: { state } },
      );
      expect(moved.statusCode).toBe(200);
    }
    await page
      .getByRole('region', { name: 'Result' })
      .getByText(/^Applied/)
      .waitFor();
    expect(await featuresOn(api).isOn('careful', 'production', 'guarded')).toBe(true);
  });

  test('a reviewer sees requests to review on Home, and scheduled ones in the calendar', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).project('planning');
    await make(api.ask).feature('awaited', { project: 'planning' });
    const requests = '/api/admin/projects/planning/change-requests';
    const propose = async () => {
      const path = '/api/admin/projects/planning/environments/production/change-requests';
      const { ask } = await person(api, { rootRole: 2, roles: { planning: 4 } });
      const { id } = (
        await ask(`POST ${path}`, {
          payload: { feature: 'awaited', action: 'updateEnabled', payload: { enabled: true } },
        })
      ).json();
      return async (payload: object) => {
        const { statusCode, body } = await ask(`PUT ${requests}/${id}/state`, { payload });
        expect(statusCode, body).toBe(200);
      };
    };
    const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
    await (await propose())({ state: 'Scheduled', scheduledAt });
    await api.ask(
      'PUT /api/admin/projects/planning/environments/production/change-requests/config',
      { payload: { changeRequestsEnabled: true } },
    );
    await (await propose())({ state: 'In review' });
    await visit('/', { roles: { planning: 4 } });
    await page.getByRole('link', { name: 'Change requests 1 to review' }).waitFor();
    await page.getByRole('heading', { name: '1 change request to review' }).waitFor();
    await page.getByRole('link', { name: 'Change requests 1 to review' }).click();
    await page.getByRole('link', { name: '1 change to awaited in production' }).waitFor();
    await page.getByRole('link', { name: 'Calendar', exact: true }).click();
    const entry = page.getByRole('listitem').filter({ hasText: '1 change to awaited' });
    await entry.getByText('Scheduled', { exact: true }).waitFor();
    expect(await faultsOnPhone(page)).toEqual([]);
  });
});
