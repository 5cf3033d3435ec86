import { expect } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { faultsOf, faultsOnPhone, wcag } from '../../support/axe.ts';
import { withBrowser } from '../../support/browser.ts';
import { make } from '../../support/make.ts';
import { moveTo, pageTest, untilNoticed } from '../../support/page-test.ts';
import { expectEarlyRead } from '../first-load.ts';

const test = pageTest();

const pathOf = (name: string) => `/projects/default/features/${name}`;

const strategiesOf = async (api: TestApp, name: string, environment: string) =>
  (await api.ask(`GET /api/admin${pathOf(name)}/environments/${environment}/strategies`)).json();

withBrowser('the feature page', () => {
  test('saves a rollout of 10% with a constraint and a variant in one request after a review', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('slow-start');
    await visit(pathOf('slow-start'));
    await page.getByRole('heading', { name: 'slow-start', level: 1 }).waitFor();
    await expectEarlyRead(page, `/api/admin${pathOf('slow-start')}`);
    await page.getByRole('button', { name: 'Add strategy to production' }).click();
    const editor = page.getByRole('dialog', { name: 'Edit strategy · production' });
    await editor.getByLabel('Rollout in percent').fill('10');
    await editor.getByRole('button', { name: 'Add constraint' }).click();
    await page.getByRole('combobox', { name: 'Context field' }).last().click();
    await page.getByRole('option', { name: 'userId' }).click();
    await editor.getByLabel('Values for userId').fill('ann');
    await editor.getByLabel('Values for userId').press('Enter');
    await editor.getByRole('button', { name: 'Add variant' }).click();
    await editor.getByLabel('Variant 1 name').fill('blue');
    await editor.getByLabel('Summary').getByText('10%').waitFor();

    // A reload keeps unsaved input.
    await page.reload();
    await editor.getByRole('button', { name: 'Done' }).click();
    // The save bar does not cover the end of the page.
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    const last = page
      .getByRole('complementary', { name: 'Feature details' })
      .getByRole('link', { name: 'View event log' });
    await expect
      .poll(async () => {
        const [above, below] = [await last.boundingBox(), await bar.boundingBox()];
        return above && below ? above.y + above.height <= below.y : undefined;
      })
      .toBe(true);
    await page.getByRole('button', { name: 'Favorite slow-start', pressed: false }).waitFor();
    await page.getByRole('button', { name: 'Review 1 change' }).click();
    const review = page.getByRole('dialog', { name: 'Review 1 change' });
    await review
      .getByText('Add strategy: 10% of user ann, stickiness default, 1 variant')
      .waitFor();
    await review.getByLabel('Comment').fill('The first ones');
    const saved = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/changes?propose=true'),
    );
    await review.getByRole('button', { name: 'Save 1 change' }).click();
    expect((await saved).postDataJSON()).toMatchObject({ comment: 'The first ones' });
    await untilNoticed(page, '1 change to slow-start saved');
    expect(await strategiesOf(api, 'slow-start', 'production')).toMatchObject([
      {
        parameters: { rollout: '10' },
        constraints: [{ contextName: 'userId', values: ['ann'] }],
        variants: [{ name: 'blue', weight: 1000 }],
      },
    ]);
    expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);
    expect(await faultsOnPhone(page)).toEqual([]);
  });

  test('shows and changes the owner and the expiry date, which the list shows under Mine', async ({
    api,
    page,
    visit,
  }) => {
    const createdAt = '2020-01-01T12:00:00Z';
    await make(api.ask).feature('owned', { createdAt });
    await visit(pathOf('owned'));
    const header = page.getByRole('banner').or(page.locator('header')).last();
    await header.getByText('Potentially stale').waitFor();
    await page.getByRole('combobox', { name: 'Owner' }).click();
    const me = page.getByRole('option', { name: '(you)' });
    const name = ((await me.textContent()) ?? '').replace('(you)', '').trim();
    await me.click();
    await header.getByText(`Owner: ${name}`).waitFor();
    const expiry = page.locator('input[type=date]');
    await expiry.fill('2020-03-03');
    await expiry.press('Enter');
    await header.getByText('Expired on Mar 3, 2020').waitFor();
    await moveTo(page, '/search?columns=owner,expiresAt');
    await page.getByText('Mine', { exact: true }).click();
    const row = page.getByRole('row', { name: /owned/ });
    await row.getByText(name).waitFor();
    await row.getByText('Mar 3, 2020').waitFor();
    await moveTo(page, '/history?q=feature:owned');
    await page.getByText(`made user ${name} owner of owned`).waitFor();
  });
});
