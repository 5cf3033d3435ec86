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
    await page.getByRole('tab', { name: 'History' }).click();
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

  test('assigns a variant to certain users, whatever the weights', async ({ api, page, visit }) => {
    await make(api.ask).feature('chosen');
    await visit(pathOf('chosen'));
    await page.getByRole('button', { name: 'Actions in production' }).click();
    await page.getByRole('menuitem', { name: 'Variants of the environment…' }).click();
    const editor = page.getByRole('dialog', { name: 'Variants in production' });
    await editor.getByRole('button', { name: 'Add variant' }).click();
    await editor.getByLabel('Name of variant 1').fill('blue');
    await editor.getByRole('button', { name: 'Add an override of blue' }).click();
    await page.getByRole('combobox', { name: 'Field of override 1 of blue' }).click();
    await page.getByRole('option', { name: 'userId' }).click();
    await editor.getByLabel('Values of override 1 of blue').fill('ann,bob,');
    await editor.getByRole('button', { name: 'Close the editor' }).click();
    await page.getByRole('button', { name: 'Review 1 change' }).click();
    const review = page.getByRole('dialog', { name: 'Review 1 change' });
    await review.getByText('always where userId is ann or bob').waitFor();
    await review.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('chosen: 1 change is saved').waitFor();
    const saved = await api.ask(
      `GET /api/admin${pathOf('chosen')}/environments/production/variants`,
    );
    expect(saved.json().variants).toMatchObject([
      { name: 'blue', overrides: [{ contextName: 'userId', values: ['ann', 'bob'] }] },
    ]);
  });
});
