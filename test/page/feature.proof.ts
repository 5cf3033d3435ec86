import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { pageTest } from '../support/page-test.ts';

const test = pageTest();

const pathOf = (name: string) => `/projects/default/features/${name}`;

withBrowser('the feature page', () => {
  test('keeps the query of the history in the URL, and Back restores it', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('remembered');
    await visit(pathOf('remembered'));
    await page.getByRole('tab', { name: 'Event log' }).click();
    await page.getByLabel('Search events').fill('type:feature-created');
    await page.keyboard.press('Enter');
    await page.getByText('1 event matches').waitFor();
    await page.waitForURL(({ searchParams }) => searchParams.get('q') === 'type:feature-created');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.waitForURL(({ searchParams }) => searchParams.has('event'));
    await page.reload();
    await page.getByRole('dialog', { name: 'Event' }).waitFor();
    await page.goBack();
    await page.getByRole('dialog', { name: 'Event' }).waitFor({ state: 'hidden' });
    await expect
      .poll(async () => (await page.getByLabel('Search events').inputValue()).trim())
      .toBe('type:feature-created');
  });

  test('says in the editor that the server is not reachable', async ({ api, page, visit }) => {
    await make(api.ask).feature('cut-off');
    await visit(pathOf('cut-off'));
    await page.getByRole('button', { name: 'Add strategy to production' }).click();
    const editor = page.getByRole('dialog', { name: 'Edit strategy · production' });
    await editor.waitFor();
    await page.context().setOffline(true);
    try {
      await editor.getByText(/^reconnecting…$/i).waitFor();
    } finally {
      await page.context().setOffline(false);
    }
    await editor.getByText(/^reconnecting…$/i).waitFor({ state: 'hidden' });
  });

  test('shows how to evaluate a feature without evaluations, and a copy button beside the code', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('unused');
    await visit(`${pathOf('unused')}?tab=usage`);
    await page.getByText('No evaluations in this period').waitFor();
    const code = page.getByText("isEnabled('unused'");
    await code.waitFor();
    const [shown, copy] = await Promise.all([
      code.boundingBox(),
      page.getByRole('button', { name: /^Copy .*Node\.js/ }).boundingBox(),
    ]);
    expect((shown?.x ?? 0) + (shown?.width ?? 0)).toBeLessThanOrEqual(copy?.x ?? 0);
  });

  test('keeps the draft of a feature that is left, and leads back to it', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('half-done');
    await visit(pathOf('half-done'));
    await page.getByRole('button', { name: 'Add strategy to production' }).click();
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('link', { name: 'Features', exact: true }).first().click();
    await page.getByText('Draft kept in this tab').waitFor();
    await page.getByRole('button', { name: 'Back to half-done' }).click();
    await page.getByRole('button', { name: 'Review 1 change' }).waitFor();
  });

  test('assigns a variant to certain users, whatever the weights', async ({ api, page, visit }) => {
    await make(api.ask).feature('chosen');
    await visit(pathOf('chosen'));
    await page.getByRole('button', { name: 'Actions for production' }).click();
    await page.getByRole('menuitem', { name: 'Environment variants…' }).click();
    const editor = page.getByRole('dialog', { name: 'Environment variants · production' });
    await editor.getByRole('button', { name: 'Add variant' }).click();
    await editor.getByLabel('Variant 1 name').fill('blue');
    await editor.getByRole('button', { name: 'Add override to blue' }).click();
    await page.getByRole('combobox', { name: 'Context field of override 1 of blue' }).click();
    await page.getByRole('option', { name: 'userId' }).click();
    await editor.getByLabel('Values of override 1 of blue').fill('ann,bob,');
    await editor.getByRole('button', { name: 'Close editor' }).click();
    await page.getByRole('button', { name: 'Review 1 change' }).click();
    const review = page.getByRole('dialog', { name: 'Review 1 change' });
    await review.getByText('override added: userId is ann or bob').waitFor();
    await review.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('1 change to chosen saved').waitFor();
    const saved = await api.ask(
      `GET /api/admin${pathOf('chosen')}/environments/production/variants`,
    );
    expect(saved.json().variants).toMatchObject([
      { name: 'blue', overrides: [{ contextName: 'userId', values: ['ann', 'bob'] }] },
    ]);
  });
});
