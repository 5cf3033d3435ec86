import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { locationOf, moveTo, pageTest, pasteOver } from '../support/page-test.ts';

const test = pageTest();

withBrowser('the playground', () => {
  test('explains why a user does not get a feature, and its link shows the same', async ({
    api,
    page,
    visit,
  }) => {
    const project = 'boutique';
    const create = make(api.ask);
    await create.project(project);
    const { id: segment } = await create.segment('Nordic customers', {
      constraints: [{ contextName: 'country', operator: 'IN', values: ['DK', 'SE'] }],
    });
    for (const name of ['fitting-room', 'window-display']) await create.feature(name, { project });
    await create.strategy(
      'fitting-room',
      { name: 'default', title: 'Nordics', segments: [segment] },
      { project, environment: 'production' },
    );
    await create.switchedOn('fitting-room', { project, environment: 'production' });

    // Nothing is evaluated yet, and the page says what to do.
    await visit('/playground');
    await page.getByRole('heading', { name: 'Where should it be evaluated?' }).waitFor();
    await page.getByRole('button', { name: 'Evaluate in production' }).click();
    // Typing is faster than the update of the URL.
    await page.getByRole('textbox', { name: 'Name contains' }).pressSequentially('fitting');
    await page.getByRole('button', { name: 'fitting-room in production: off. Why?' }).waitFor();
    await page.getByText('window-display').waitFor({ state: 'detached' });

    // The feature uses a field that the context does not have.
    await page.getByRole('button', { name: 'Add the field country' }).click();
    await page.getByRole('textbox', { name: 'country of context 1' }).pressSequentially('DE');
    await page.getByRole('button', { name: 'Add a context' }).click();
    await page.getByRole('textbox', { name: 'country of context 2' }).fill('DK');
    await page
      .getByRole('button', { name: 'fitting-room for country DK in production: on. Why?' })
      .waitFor();
    await page
      .getByRole('button', { name: 'fitting-room for country DE in production: off. Why?' })
      .click();
    const why = page.getByRole('dialog', { name: 'Why: fitting-room' });
    await why.getByText('It is switched on in production').waitFor();
    await why.getByText('in the segment “Nordic customers”').waitFor();
    await why.getByText('country is DK or SE').waitFor();
    await why.getByText('it is “DE”').waitFor();

    // Another user opens the URL and sees the same.
    const link = await locationOf(page);
    await visit(`${link.pathname}${link.search}`, { rootRole: 3 });
    await why.getByText('it is “DE”').waitFor();
    await why.getByRole('combobox', { name: 'Context' }).selectOption({ index: 1 });
    await why.getByText('it is “DK”').waitFor();
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: 'fitting-room for country DE in production: off. Why?' })
      .waitFor();

    // A segment provides its contexts, which can also be edited as JSON.
    await moveTo(page, `/playground?segment=${segment}`);
    await page
      .getByRole('button', { name: 'fitting-room for country DK in production: on. Why?' })
      .waitFor();
    await page.getByText('JSON', { exact: true }).click();
    const editor = page.getByRole('textbox', { name: 'Contexts as JSON' });
    await pasteOver(editor, '[{"country": {}}]');
    await page.getByText('country of context 1 must be a text, a number').waitFor();
    await pasteOver(editor, '[{"country": "SE"}]');
    await page.getByRole('button', { name: 'fitting-room in production: on. Why?' }).waitFor();
    await page.getByText('Table', { exact: true }).click();
    expect(await page.getByRole('textbox', { name: 'country of context 1' }).inputValue()).toBe(
      'SE',
    );

    // A feature opens the playground with its own context.
    await moveTo(page, `/projects/${project}/features/fitting-room`);
    await page.getByRole('link', { name: 'Open in playground' }).click();
    await page.getByRole('button', { name: 'fitting-room in production: off. Why?' }).waitFor();
  });
});
