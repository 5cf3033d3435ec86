import { expect } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { moveTo, pageTest, pasteOver, untilLive } from '../support/page-test.ts';
import { programs } from '../support/usage.ts';

const test = pageTest();

const pathOf = (name: string) => `/projects/default/features/${name}`;

const strategiesOf = async (api: TestApp, name: string, environment: string) =>
  (await api.ask(`GET /api/admin${pathOf(name)}/environments/${environment}/strategies`)).json();

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
    await page.getByText(/^1 (of \d+ events|event)$/).waitFor();
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
    await page.getByRole('button', { name: 'Show code' }).click();
    const code = page.getByText("isEnabled('unused'");
    await code.waitFor();
    const [shown, copy] = await Promise.all([
      code.boundingBox(),
      page.getByRole('button', { name: /^Copy .*Node\.js/ }).boundingBox(),
    ]);
    expect((shown?.x ?? 0) + (shown?.width ?? 0)).toBeLessThanOrEqual(copy?.x ?? 0);
  });

  test('keeps a draft when the user leaves the page, and links back to it', async ({
    api,
    page,
    visit,
  }) => {
    await make(api.ask).feature('half-done');
    await visit(pathOf('half-done'));
    await page.getByRole('button', { name: 'Add strategy to production' }).click();
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('link', { name: 'Features', exact: true }).first().click();
    await page.getByText('Unsaved changes kept in this tab').waitFor();
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

  test('merges changes to the same strategy, and asks only about the field that both changed', async ({
    api,
    page,
    visit,
  }) => {
    // A line could break after a hyphen.
    const title = 'TitleWithoutSpaces'.repeat(10);
    await make(api.ask).feature('shared');
    const parameters = { rollout: '50', stickiness: 'default' };
    await make(api.ask).strategy('shared', { parameters }, { environment: 'production' });
    await visit(pathOf('shared'));
    await untilLive(page);
    await page.getByRole('button', { name: 'Edit strategy: 50% of everyone' }).click();
    const editor = page.getByRole('dialog', { name: 'Edit strategy · production' });
    await editor.getByLabel('Rollout in percent').fill('20');
    await expect.poll(() => editor.getByText('Edited').count()).toBe(1);

    const [{ id }] = await strategiesOf(api, 'shared', 'production');
    await api.ask(`PUT /api/admin${pathOf('shared')}/environments/production/strategies/${id}`, {
      payload: {
        name: 'flexibleRollout',
        title,
        parameters: { rollout: '70', stickiness: 'default' },
      },
    });
    // The editor covers the page, so the conflict is shown in it. The title has only changed on the server.
    await editor.getByText(/^(?!Someone else).+ changed this while you were editing$/).waitFor();
    await editor.getByRole('row', { name: /^Rollout .* 70%.* 20%/ }).waitFor();
    expect(await editor.getByRole('button', { name: /^Keep mine/ }).count()).toBe(1);
    expect(await editor.getByLabel('Title').inputValue()).toBe(title);
    await editor.getByRole('button', { name: 'Keep mine: Rollout' }).click();
    await editor.getByRole('button', { name: 'Done' }).click();
    await page.getByText('1 unsaved change · production 1').waitFor();

    await page.getByRole('button', { name: `Edit strategy: ${title}` }).waitFor();
    const wide = page.viewportSize() ?? { width: 1280, height: 900 };
    for (const width of [wide.width, 360]) {
      await page.setViewportSize({ ...wide, width });
      await page.getByText(title, { exact: true }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    }
    await page.setViewportSize(wide);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    const bar = await page.getByRole('region', { name: 'Unsaved changes' }).boundingBox();
    const details = await page
      .getByRole('complementary', { name: 'Feature details' })
      .boundingBox();
    expect((details?.y ?? 0) + (details?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
    await page.getByRole('button', { name: 'Review 1 change' }).click();
    const review = page.getByRole('dialog', { name: 'Review 1 change' });
    await review.getByText('rollout 70% → 20%').waitFor();
    await review.getByLabel('Comment').fill('Slower');
    await review.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('1 change to shared saved').waitFor();
    expect(await strategiesOf(api, 'shared', 'production')).toMatchObject([
      { title, parameters: { rollout: '20' } },
    ]);
    await page.getByRole('tab', { name: 'Event log' }).click();
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
    await make(api.ask).feature('moving', { description: 'תכונה חדשה!' });
    await visit(pathOf('moving'));
    await untilLive(page);
    await api.ask('POST /api/admin/projects/default/features/moving/changeProject', {
      payload: { newProjectId: 'elsewhere' },
    });
    await page.getByText('This feature is in elsewhere').waitFor();
    await page.getByRole('link', { name: 'Open moving in elsewhere' }).click();
    await page.waitForURL(`${origin}/projects/elsewhere/features/moving`);
    await page.getByRole('switch', { name: 'moving in development' }).waitFor();
    // A text in Hebrew or Arabic runs from right to left.
    expect(await page.getByText('תכונה חדשה!').getAttribute('dir')).toBe('auto');

    await moveTo(page, pathOf('not-made-yet'));
    await page.getByText('Feature not found in default').waitFor();
    await page.getByRole('button', { name: 'Create feature' }).click();
    const field = page.getByRole('textbox', { name: 'Name' });
    expect(await field.inputValue()).toBe('not-made-yet');
    const tags = page.getByRole('combobox', { name: 'Tags' });
    await tags.fill('x');
    await tags.press('Enter');
    await page.getByText("“simple:x” isn't a valid tag.", { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Create feature' }).click();
    await page.getByText("“simple:x” isn't a valid tag.", { exact: false }).waitFor();
    expect((await api.ask(`GET /api/admin${pathOf('not-made-yet')}`)).statusCode).toBe(404);
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
    await page.getByText(/^Last evaluated .+ by shop$/).waitFor();

    const linksOf = async () =>
      ((await api.ask(`GET /api/admin${pathOf('by-hand')}`)).json().links ?? []).map(
        ({ url, title }: { url: string; title: string | null }) => `${title} ${url}`,
      );
    await page.getByRole('button', { name: 'Add link' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('URL').fill('javascript:alert(1)');
    await form.getByText('Enter a URL that starts with https://').waitFor();
    await form.getByLabel('URL').fill('tickets.example/12');
    await form.getByLabel('Title').fill('Ticket');
    await form.getByRole('button', { name: 'Add link' }).click();
    await page.getByRole('link', { name: 'Ticket' }).waitFor();
    await page.getByText('Link Ticket added').waitFor();
    await expect.poll(linksOf).toEqual(['Ticket https://tickets.example/12']);

    await page.getByRole('button', { name: 'Edit link Ticket' }).click();
    await form.getByLabel('Title').fill('Story');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.poll(linksOf).toEqual(['Story https://tickets.example/12']);

    await page.getByRole('button', { name: 'Remove link Story' }).click();
    await page.getByText('Link Story removed').waitFor();
    await page.getByRole('button', { name: 'Undo' }).hover();
    await expect.poll(linksOf).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(linksOf).toEqual(['Story https://tickets.example/12']);
  });
});
