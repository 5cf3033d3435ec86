import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { moveTo, pageTest, untilLive } from '../support/page-test.ts';

const test = pageTest();

const row = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

withBrowser('segments, context fields and environments', () => {
  test('a segment shows its usage, cannot be deleted while in use, and reports changes by others', async ({
    api,
    page,
    visit,
  }) => {
    const things = make(api.ask);
    await api.ask('POST /api/admin/context', {
      payload: { name: 'country', legalValues: [{ value: 'NO' }, { value: 'SE' }] },
    });
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['NO'] }];
    const { id } = await things.segment('Nordics', { constraints });
    await things.feature('fjord-cruise');
    const where = { environment: 'production' };
    await things.strategy('fjord-cruise', { segments: [id] }, where);
    await things.switchedOn('fjord-cruise', where);

    await visit('/segments');
    const nordics = row(page, 'Nordics');
    await nordics.getByRole('button', { name: 'Used by 1 feature' }).click();
    await nordics.getByRole('link', { name: 'fjord-cruise' }).waitFor();
    await nordics.getByText('production · Enabled').waitFor();

    await nordics.getByRole('button', { name: 'Delete Nordics' }).click();
    await dialog(page).getByText("It's still in use.").waitFor();
    await dialog(page).getByRole('link', { name: 'fjord-cruise' }).waitFor();
    expect(await dialog(page).getByRole('button', { name: 'Delete segment' }).count()).toBe(0);
    await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();

    await nordics.getByRole('button', { name: 'Edit Nordics' }).click();
    await page.getByRole('heading', { name: 'Nordics', level: 1 }).waitFor();
    await page.getByText('1 of 30 constraints · 1 of 7,500 values').waitFor();
    await page.getByRole('combobox', { name: 'Values for country' }).click();
    await page.getByRole('option', { name: 'SE' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await dialog(page).getByText('Affects 1 feature').waitFor();
    await dialog(page).getByText('1 feature enabled. Targeting changes').waitFor();
    await dialog(page).getByText('production · Enabled').waitFor();
    await dialog(page).getByRole('button', { name: 'Save segment' }).click();
    await page.getByText('Segment Nordics saved').waitFor();
    const saved = (await api.ask(`GET /api/admin/segments/${id}`)).json();
    expect(saved.constraints[0].values).toEqual(['NO', 'SE']);

    const { id: contended } = await make(api.ask).segment('Contended', { description: 'first' });
    await moveTo(page, `/segments/edit/${contended}`);
    const description = page.getByLabel('Description');
    await description.fill('mine');
    await untilLive(page);
    const theirs = { name: 'Contended', description: 'theirs', constraints: [] };
    await api.ask(`PUT /api/admin/segments/${contended}`, { payload: theirs });
    await page
      .getByText(/^(?!Someone else).* changed this while you were editing: description “theirs”/)
      .waitFor();
    await page.getByRole('button', { name: 'Use theirs' }).click();
    await expect.poll(() => description.inputValue()).toBe('theirs');
    await api.ask(`DELETE /api/admin/segments/${contended}`);
    await page.getByText('Contended was deleted').waitFor();
  });
});
