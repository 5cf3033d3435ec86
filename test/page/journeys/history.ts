import { expect } from 'vitest';
import { faultsOf, wcag } from '../../support/axe.ts';
import { withBrowser } from '../../support/browser.ts';
import { make } from '../../support/make.ts';
import { locationOf, pageTest, untilNoticed } from '../../support/page-test.ts';

const test = pageTest();

const admin = '/api/admin/projects/default/features';

withBrowser('the history pages', () => {
  test('step through the changes of a feature and compare each with its state now, for viewers too', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('stepped');
    const production = `${admin}/stepped/environments/production`;
    await api.ask(`POST ${production}/strategies`, {
      payload: { name: 'flexibleRollout', parameters: { rollout: '10', stickiness: 'default' } },
    });
    await api.ask(`POST ${production}/on`);
    await api.ask(`POST ${production}/off`);
    await visit('/projects/default/features/stepped?tab=history', { rootRole: 3 });
    await page.getByRole('button', { name: 'View timeline' }).click();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    const compared = timeline.getByRole('region', { name: 'production' });
    await timeline.getByText('Change 4 of 4').waitFor();
    await compared.getByText('Disabled').nth(1).waitFor();
    expect(await compared.getByText('Differs').count()).toBe(0);
    await timeline.getByRole('button', { name: 'Previous change' }).click();
    await timeline.getByText('Change 3 of 4').waitFor();
    await compared.getByText('Differs').waitFor();
    await compared.getByText('Enabled').waitFor();
    // The slider steps by keyboard.
    await timeline.getByRole('slider', { name: 'Change' }).press('Home');
    await timeline.getByText('Change 1 of 4').waitFor();
    await compared.getByText('No strategies').waitFor();
    await compared.getByText('Added since').waitFor();
    expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);
    await timeline.getByText('Only differences').click();
    await timeline.getByRole('region', { name: 'development' }).waitFor({ state: 'detached' });
    // The address shows the same to others.
    expect((await locationOf(page)).searchParams.get('asOf')).toMatch(/^\d+$/);
    await page.reload();
    await timeline.getByText('Change 1 of 4').waitFor();
  });

  test('revert selected events after showing what that changes, and mark them in the log', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('undone', { description: 'First' });
    const path = `${admin}/undone`;
    await api.ask(`PUT ${path}`, { payload: { description: 'Second', stale: true } });
    await api.ask(`POST ${path}/environments/production/on`);
    await api.ask(`PUT ${path}`, { payload: { description: 'Third', stale: true } });
    await visit('/history?q=feature:undone');
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    const rows = page.getByRole('list', { name: 'Events, newest first' }).getByRole('listitem');
    await rows.filter({ hasText: 'enabled undone' }).getByRole('checkbox').check();
    await rows.filter({ hasText: 'First → Second' }).getByRole('checkbox').check();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Revert 2 events' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revert 2 events' });
    await dialog.getByText('undone in production').waitFor();
    await dialog.getByText('is a production environment').waitFor();
    const conflict = dialog.getByRole('region', { name: '1 conflict' });
    await conflict.getByText('First').waitFor();
    await conflict.getByText('Third').waitFor();
    const revert = dialog.getByRole('button', { name: 'Revert', exact: true });
    expect(await revert.getAttribute('aria-description')).toBe('Resolve the conflicts first');
    await dialog.getByLabel('Keep the current value and revert the rest').check();
    await dialog.getByLabel('Comment').fill('Incident 7');
    await revert.click();
    // The notice stays while someone points at it.
    await page.getByRole('button', { name: 'View event' }).hover();
    await untilNoticed(page, '2 events reverted');
    await rows.filter({ hasText: 'enabled undone' }).getByText('Reverted').waitFor();
    const feature = (await api.ask(`GET ${path}`)).json();
    expect(feature).toMatchObject({ description: 'Third', stale: false });
    // Each leads to the other.
    await page.getByRole('button', { name: 'View event' }).click();
    const opened = page.getByRole('complementary', { name: 'Event details' });
    await opened.getByText('“Incident 7”').or(opened.getByText('Reverts')).first().waitFor();
    await opened.getByRole('button', { name: /^#/ }).first().click();
    await opened.getByText('Reverted by').waitFor();
  });
});
