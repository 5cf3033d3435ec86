import { expect } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { pageTest } from '../support/page-test.ts';

const test = pageTest();

const pathOf = (name: string) => `/projects/default/features/${name}`;

async function createFeature(api: TestApp, name: string, rollout?: string): Promise<void> {
  await make(api.ask).feature(name);
  if (rollout === undefined) return;
  const parameters = { rollout, stickiness: 'default' };
  await make(api.ask).strategy(name, { parameters }, { environment: 'production' });
}

const strategiesOf = async (api: TestApp, name: string, environment: string) =>
  (await api.ask(`GET /api/admin${pathOf(name)}/environments/${environment}/strategies`)).json();

withBrowser('the page of a feature', () => {
  test('rolls out to 10 % with a condition and a variant, reviewed and saved by one request', async ({
    api,
    page,
    visit,
  }) => {
    await createFeature(api, 'slow-start');
    await visit(pathOf('slow-start'));
    await page.getByRole('button', { name: 'Add strategy in production' }).click();
    const editor = page.getByRole('dialog', { name: 'Strategy in production' });
    await editor.getByLabel('Rollout in percent').fill('10');
    await editor.getByRole('button', { name: 'Add condition' }).click();
    await page.getByRole('combobox', { name: 'Field' }).last().click();
    await page.getByRole('option', { name: 'userId' }).click();
    await editor.getByLabel('Values of userId').fill('ann');
    await editor.getByLabel('Values of userId').press('Enter');
    await editor.getByRole('button', { name: 'Add variant' }).click();
    await editor.getByLabel('Name of variant 1').fill('blue');
    await editor.getByLabel('As a sentence').getByText('10 %').waitFor();

    // A reload loses nothing that was typed.
    await page.reload();
    await editor.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Review 1 change' }).click();
    const review = page.getByRole('dialog', { name: 'Review 1 change' });
    await review
      .getByText('on for 10 % of everybody where userId is ann, sticky by default, with 1 variant')
      .waitFor();
    await review.getByLabel('Why?').fill('The first ones');
    const saved = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/changes'),
    );
    await review.getByRole('button', { name: 'Save 1 change' }).click();
    expect((await saved).postDataJSON()).toMatchObject({ comment: 'The first ones' });
    await page.getByText('slow-start: 1 change is saved').waitFor();
    expect(await strategiesOf(api, 'slow-start', 'production')).toMatchObject([
      {
        parameters: { rollout: '10' },
        constraints: [{ contextName: 'userId', values: ['ann'] }],
        variants: [{ name: 'blue', weight: 1000 }],
      },
    ]);
  });

  test('says who changed the same strategy, and puts mine on top of theirs', async ({
    api,
    page,
    visit,
  }) => {
    await createFeature(api, 'shared', '50');
    await visit(pathOf('shared'));
    await page.getByText('live', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Edit strategy: On for 50 % of everybody' }).click();
    const editor = page.getByRole('dialog', { name: 'Strategy in production' });
    await editor.getByLabel('Rollout in percent').fill('20');
    await editor.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Review 1 change' }).waitFor();

    const [{ id }] = await strategiesOf(api, 'shared', 'production');
    await api.ask(`PUT /api/admin${pathOf('shared')}/environments/production/strategies/${id}`, {
      payload: { name: 'flexibleRollout', parameters: { rollout: '70', stickiness: 'default' } },
    });
    await page.getByText('Theirs: rollout 50 % → 70 %').waitFor();
    await page.getByText('Mine: rollout 50 % → 20 %').waitFor();
    await page.getByRole('button', { name: 'Keep mine on top' }).click();
    await page.getByRole('button', { name: 'Review 1 change' }).click();
    const review = page.getByRole('dialog', { name: 'Review 1 change' });
    await review.getByText('rollout 70 % → 20 %').waitFor();
    await review.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('shared: 1 change is saved').waitFor();
    expect(await strategiesOf(api, 'shared', 'production')).toMatchObject([
      { parameters: { rollout: '20' } },
    ]);
  });
});
