import { expect } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { moveTo, pageTest, pasteOver, untilLive } from '../support/page-test.ts';
import { programs } from '../support/usage.ts';
import { expectEarlyRead } from './first-load.ts';

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

withBrowser('the feature page', () => {
  test('saves a rollout of 10% with a constraint and a variant in one request after a review', async ({
    api,
    page,
    visit,
  }) => {
    await createFeature(api, 'slow-start');
    await visit(pathOf('slow-start'));
    await page.getByRole('heading', { name: 'slow-start', level: 1 }).waitFor();
    await expectEarlyRead(page, `/api/admin${pathOf('slow-start')}`);
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
    await editor.getByLabel('As a sentence').getByText('10%').waitFor();

    // A reload keeps unsaved input.
    await page.reload();
    await editor.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Review 1 change' }).click();
    const review = page.getByRole('dialog', { name: 'Review 1 change' });
    await review
      .getByText('on for 10% of everybody where userId is ann, sticky by default, with 1 variant')
      .waitFor();
    await review.getByLabel('Why?').fill('The first ones');
    const saved = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/changes'),
    );
    await review.getByRole('button', { name: 'Save 1 change' }).click();
    expect((await saved).postDataJSON()).toMatchObject({ comment: 'The first ones' });
    await page.getByText('1 change to slow-start saved').waitFor();
    expect(await strategiesOf(api, 'slow-start', 'production')).toMatchObject([
      {
        parameters: { rollout: '10' },
        constraints: [{ contextName: 'userId', values: ['ann'] }],
        variants: [{ name: 'blue', weight: 1000 }],
      },
    ]);
  });

  test("reports who changed the same strategy, and can keep the user's own version", async ({
    api,
    page,
    visit,
  }) => {
    await createFeature(api, 'shared', '50');
    await visit(pathOf('shared'));
    await untilLive(page);
    await page.getByRole('button', { name: 'Edit strategy: On for 50% of everybody' }).click();
    const editor = page.getByRole('dialog', { name: 'Strategy in production' });
    await editor.getByLabel('Rollout in percent').fill('20');
    await editor.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Review 1 change' }).waitFor();

    const [{ id }] = await strategiesOf(api, 'shared', 'production');
    await api.ask(`PUT /api/admin${pathOf('shared')}/environments/production/strategies/${id}`, {
      payload: { name: 'flexibleRollout', parameters: { rollout: '70', stickiness: 'default' } },
    });
    await page.getByText('Theirs: rollout 50% → 70%').waitFor();
    await page.getByText('Mine: rollout 50% → 20%').waitFor();
    await page.getByRole('button', { name: 'Keep mine on top' }).click();
    await page.getByRole('button', { name: 'Review 1 change' }).click();
    const review = page.getByRole('dialog', { name: 'Review 1 change' });
    await review.getByText('rollout 70% → 20%').waitFor();
    await review.getByLabel('Why?').fill('Slower');
    await review.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('1 change to shared saved').waitFor();
    expect(await strategiesOf(api, 'shared', 'production')).toMatchObject([
      { parameters: { rollout: '20' } },
    ]);
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('“Slower”').waitFor();
    expect(await page.getByText(/comment:/).count()).toBe(0);
  });

  test('shows the new project of a moved feature, and offers to create a missing one', async ({
    api,
    page,
    origin,
    visit,
  }) => {
    await make(api.ask).project('elsewhere');
    await make(api.ask).feature('moving');
    await visit(pathOf('moving'));
    await untilLive(page);
    await api.ask('POST /api/admin/projects/default/features/moving/changeProject', {
      payload: { newProjectId: 'elsewhere' },
    });
    await page.getByText('It is in the project elsewhere now').waitFor();
    await page.getByRole('link', { name: 'Open moving in elsewhere' }).click();
    await page.waitForURL(`${origin}/projects/elsewhere/features/moving`);
    await page.getByRole('switch', { name: 'moving in development' }).waitFor();

    await moveTo(page, pathOf('not-made-yet'));
    await page.getByText('The project default has no feature of this name').waitFor();
    await page.getByRole('button', { name: 'Create it' }).click();
    const field = page.getByRole('textbox', { name: 'Name' });
    expect(await field.inputValue()).toBe('not-made-yet');
  });

  test('creates a feature from JSON, and adds, changes and removes its links with Undo', async ({
    api,
    page,
    origin,
    visit,
  }) => {
    await visit('/projects/default/create-toggle?as=json');
    const editor = page.getByRole('textbox', { name: 'Definition' });
    const write = async (definition: unknown) => {
      await pasteOver(editor, JSON.stringify(definition));
      await page.getByRole('button', { name: 'Create feature' }).click();
    };
    await write({ name: 'by-hand', tags: [{ type: 'simple', value: '' }] });
    await page.getByText(/^tags\/0\/value must/).waitFor();
    await write({ name: 'by-hand', environments: [{ name: 'development', enabled: true }] });
    await page.waitForURL(`${origin}${pathOf('by-hand')}`);
    expect((await api.ask(`GET /api/admin${pathOf('by-hand')}`)).json()).toMatchObject({
      environments: [{ name: 'development', enabled: true }, { name: 'production' }],
    });

    await programs(api).metrics({ 'by-hand': { yes: 1, no: 0 } });
    await api.db
      .updateTable('feature_environments')
      .set({ last_seen_at: new Date() })
      .where('feature_name', '=', 'by-hand')
      .execute();
    await page.reload();
    await page.getByText(/^last seen .+ by shop$/).waitFor();

    const linksOf = async () =>
      ((await api.ask(`GET /api/admin${pathOf('by-hand')}`)).json().links ?? []).map(
        ({ url, title }: { url: string; title: string | null }) => `${title} ${url}`,
      );
    await page.getByRole('button', { name: 'Add a link' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Address').fill('javascript:alert(1)');
    await form.getByText('A link begins with https://').waitFor();
    await form.getByLabel('Address').fill('tickets.example/12');
    await form.getByLabel('Title').fill('Ticket');
    await form.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('link', { name: 'Ticket' }).waitFor();
    await page.getByText('Link Ticket added').waitFor();
    await expect.poll(linksOf).toEqual(['Ticket https://tickets.example/12']);

    await page.getByRole('button', { name: 'Change the link Ticket' }).click();
    await form.getByLabel('Title').fill('Story');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.poll(linksOf).toEqual(['Story https://tickets.example/12']);

    await page.getByRole('button', { name: 'Remove the link Story' }).click();
    await page.getByText('Link Story removed').waitFor();
    await page.getByRole('button', { name: 'Undo' }).hover();
    await expect.poll(linksOf).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(linksOf).toEqual(['Story https://tickets.example/12']);
  });
});
