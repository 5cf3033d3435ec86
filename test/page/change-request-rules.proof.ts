import { sql } from 'kysely';
import { expect } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { withBrowser } from '../support/browser.ts';
import { featuresOn } from '../support/features.ts';
import { make } from '../support/make.ts';
import { moveTo, pageTest } from '../support/page-test.ts';
import { person } from '../support/people.ts';

const test = pageTest();

/** A request in review that enables a feature in a protected environment. Returns its page. */
async function proposed(api: TestApp, project: string, feature: string): Promise<string> {
  await make(api.ask).project(project);
  await make(api.ask).feature(feature, { project });
  const path = `/api/admin/projects/${project}`;
  await api.ask(`PUT ${path}/environments/production/change-requests/config`, {
    payload: { changeRequestsEnabled: true },
  });
  const author = await person(api);
  const request = await author.ask(`POST ${path}/environments/production/change-requests`, {
    payload: { feature, action: 'updateEnabled', payload: { enabled: true } },
  });
  const { id } = request.json();
  const sent = await author.ask(`PUT ${path}/change-requests/${id}/state`, {
    payload: { state: 'In review' },
  });
  expect(sent.statusCode, sent.body).toBe(200);
  return `/projects/${project}/change-requests/${id}`;
}

withBrowser('the rules of change requests', () => {
  test('an emergency is applied with a reason and reviewed by someone else', async ({
    api,
    page,
    visit,
  }) => {
    const address = await proposed(api, 'urgent', 'checkout');
    await visit(address, { rootRole: 1 });
    await page.getByRole('button', { name: 'Apply in an emergency' }).click();
    const dialog = page.getByRole('dialog', { name: 'Apply in an emergency' });
    const apply = dialog.getByRole('button', { name: 'Apply without approval' });
    expect(await apply.getAttribute('aria-disabled')).toBe('true');
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Checkout is down');
    await apply.click();
    await page.getByText('Applied in an emergency · not reviewed yet').waitFor();
    await page.getByText('Someone else has to review it.').waitFor();
    expect(await featuresOn(api).isOn('checkout', 'production', 'urgent')).toBe(true);

    await visit('/change-requests?list=emergencies', { rootRole: 1 });
    await page.getByText('Emergency · not reviewed yet').waitFor();
    await page.getByRole('link', { name: /checkout/ }).click();
    await page.getByText('Checkout is down').waitFor();
    await page.getByRole('textbox', { name: 'Comment on your review' }).fill('Understood');
    await page.getByRole('button', { name: 'Mark as reviewed' }).click();
    await page.getByText(/reviewed by/).waitFor();
    await page.getByText('Understood').waitFor();
  });

  test('someone without permissions proposes to revive a feature, and finds the request by its state', async ({
    api,
    page,
    visit,
  }) => {
    await proposed(api, 'revived', 'returning');
    await api.ask('DELETE /api/admin/projects/revived/features/returning');
    await visit('/projects/revived/features/returning', { rootRole: 3 });
    await page.getByRole('button', { name: 'Revive', exact: true }).press('Enter');
    await page.getByText('Added to your draft for production').waitFor();
    await page.goto(`${new URL(page.url()).origin}/change-requests?list=mine`);
    const list = page.getByRole('list', { name: 'Change requests' });
    await list.getByText('Draft').waitFor();
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Applied' }).click();
    await page.getByText('No matching change requests').waitFor();
    expect(new URL(page.url()).searchParams.get('state')).toBe('Applied');
  });

  test('the last approval applies the request, and approvers are limited', async ({
    api,
    page,
    visit,
  }) => {
    const address = await proposed(api, 'automatic', 'search');
    await visit('/projects/automatic/settings/change-requests', { rootRole: 1 });
    const rules = page.getByRole('region', { name: 'Rules for production' });
    const saved = page.getByText('Rules for production saved');
    await rules.getByRole('switch', { name: 'Apply automatically when approved' }).press('Space');
    await saved.waitFor();
    const approvers = rules.getByRole('combobox', { name: 'Approvers' });
    await approvers.fill('Member');
    await page.getByRole('option', { name: 'Member', exact: true }).click();
    await rules.getByText('No one can approve changes in production').waitFor();

    await visit(address, { rootRole: 1 });
    await page.getByText("You aren't an approver for production.").waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);

    const config =
      'PUT /api/admin/projects/automatic/environments/production/change-requests/config';
    await api.ask(config, {
      payload: {
        changeRequestsEnabled: true,
        rules: { approvers: { users: [], groups: [], roles: [1] } },
      },
    });
    await visit(address, { rootRole: 1 });
    await page.getByRole('button', { name: 'Approve and apply' }).click();
    await page
      .getByRole('region', { name: 'Result' })
      .getByText(/^Applied/)
      .waitFor();
    expect(await featuresOn(api).isOn('search', 'production', 'automatic')).toBe(true);
  });
});

withBrowser('a viewer of a protected project', () => {
  test('proposes a new feature, a clone, and a segment with the usual controls', async ({
    api,
    page,
    visit,
  }) => {
    const path = '/api/admin/projects/watched';
    await make(api.ask).project('watched');
    await make(api.ask).feature('original', { project: 'watched' });
    await make(api.ask).segment('nordics', { project: 'watched' });
    await api.ask(`PUT ${path}/environments/production/change-requests/config`, {
      payload: { changeRequestsEnabled: true },
    });
    const changes = async () => {
      const { rows } = await sql<{ action: string }>`
        select change.action from change_request_changes change
        join change_requests request on request.id = change.request_id
        where request.project = 'watched' order by change.position`.execute(api.db);
      return rows.map(({ action }) => action);
    };
    const isProposed = (action: string) =>
      expect.poll(async () => (await changes()).at(-1)).toBe(action);
    await visit('/projects/watched/create-toggle', { rootRole: 3 });
    // Fields that appear while the mouse is down would move the button away from it.
    await page.getByLabel('development').waitFor();
    await page.getByLabel('Experiment').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('wanted');
    await page.getByRole('button', { name: 'Create feature' }).click();
    await isProposed('createFeature');
    await page.waitForURL(/projects\/watched$/);

    await moveTo(page, '/projects/watched/features/original');
    await page.getByRole('button', { name: 'Clone…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Clone original' });
    await dialog.getByRole('button', { name: 'Clone feature' }).click();
    await isProposed('cloneFeatures');

    await moveTo(page, '/projects/watched/settings/segments');
    await page.getByRole('button', { name: 'Delete nordics' }).click();
    await page.getByRole('button', { name: 'Delete segment' }).click();
    await isProposed('deleteSegment');

    for (const name of ['wanted', 'original-copy']) {
      expect((await api.ask(`GET ${path}/features/${name}`)).statusCode).toBe(404);
    }
  });
});
