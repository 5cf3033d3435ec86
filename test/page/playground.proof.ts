import { expect } from 'vitest';
import { withBrowser } from '../support/browser.ts';
import { make } from '../support/make.ts';
import { locationOf, moveTo, pageTest, pasteOver } from '../support/page-test.ts';
import { createBoutique } from './boutique.ts';

const test = pageTest();

const contexts = encodeURIComponent(JSON.stringify([{ userId: '7' }]));

withBrowser('the playground', () => {
  let segment: number;
  test.beforeAll(async ({ api }) => {
    segment = await createBoutique(api.ask, 'boutique');
  });

  test('reports too many combinations and invalid contexts', async ({ api, page, visit }) => {
    await make(api.ask).feature('lonely');
    const users = Array.from({ length: 100 }, (_, number) => `u${number}`);
    const much = encodeURIComponent(JSON.stringify([{ userId: users, plan: users, city: users }]));
    await visit(`/playground?environments=production&contexts=${much}`);
    await page.getByText(/more than 15000 combinations of values/).waitFor();
    // Of a long list, the head stays in view.
    const many = encodeURIComponent(JSON.stringify([{ userId: users }]));
    await moveTo(page, `/playground?environments=production&query=lonely&contexts=${many}`);
    await page
      .getByRole('button', { name: 'lonely for userId=u3 in production: Disabled' })
      .waitFor();
    await page.mouse.move(600, 500);
    const head = page.getByText('Context', { exact: true }).last();
    // What has just been drawn may not be as long yet as it will be.
    const scroll = async () => {
      await page.mouse.wheel(0, 500);
      return page.evaluate('scrollY');
    };
    await expect.poll(scroll).toBeGreaterThan(1000);
    expect((await head.boundingBox())?.y).toBeGreaterThan(0);
    await moveTo(page, `/playground?environments=production&contexts=${contexts}`);
    await page
      .getByRole('button', { name: 'lonely in production: Disabled. Show reasons' })
      .waitFor();
    await page.getByRole('button', { name: 'Add context field' }).click();
    await page.getByRole('menuitem', { name: 'currentTime' }).click();
    await page.getByRole('textbox', { name: 'currentTime, context 1' }).fill('soon');
    await page.getByText('Must be a date and time').waitFor();
  });

  test('gets contexts from a segment, edits them as JSON, and opens from a feature with its context', async ({
    page,
    visit,
  }) => {
    await visit(`/playground?segment=${segment}`);
    await page
      .getByRole('button', {
        name: 'fitting-room for country=DK in production: Enabled. Show reasons',
      })
      .waitFor();
    await page.getByText('JSON', { exact: true }).click();
    const editor = page.getByRole('textbox', { name: 'Contexts as JSON' });
    await pasteOver(editor, '[{"country": {}}]');
    await page.getByText('country in context 1 must be a string, number').waitFor();
    await pasteOver(editor, '[{"country": "SE"}]');
    await page
      .getByRole('button', { name: 'fitting-room in production: Enabled. Show reasons' })
      .waitFor();
    await page.getByText('Table', { exact: true }).click();
    expect(await page.getByRole('textbox', { name: 'country, context 1' }).inputValue()).toBe('SE');

    // A feature opens the playground with its own context.
    await moveTo(page, '/projects/boutique/features/fitting-room');
    await page.getByRole('link', { name: 'Open in Playground' }).click();
    await page
      .getByRole('button', { name: 'fitting-room in production: Disabled. Show reasons' })
      .waitFor();
  });

  test('explains why a user does not get a feature, and its link shows the same', async ({
    page,
    visit,
  }) => {
    // Nothing is evaluated yet, and the page says what to do.
    await visit('/playground');
    await page.getByRole('heading', { name: 'Select an environment' }).waitFor();
    await page.getByRole('button', { name: 'Evaluate in production' }).click();
    // Typing is faster than the update of the URL.
    await page.getByRole('textbox', { name: 'Feature name' }).pressSequentially('fitting');
    await page
      .getByRole('button', { name: 'fitting-room in production: Disabled. Show reasons' })
      .waitFor();
    await page.getByText('window-display').waitFor({ state: 'detached' });

    // The feature uses a field that the context does not have.
    await page.getByRole('button', { name: 'Add country' }).click();
    await page.getByRole('textbox', { name: 'country, context 1' }).pressSequentially('DE');
    await page.getByRole('button', { name: 'Add context', exact: true }).click();
    await page.getByRole('textbox', { name: 'country, context 2' }).fill('DK');
    await page
      .getByRole('button', {
        name: 'fitting-room for country=DK in production: Enabled. Show reasons',
      })
      .waitFor();
    await page
      .getByRole('button', {
        name: 'fitting-room for country=DE in production: Disabled. Show reasons',
      })
      .click();
    const why = page.getByRole('dialog', { name: 'Evaluation of fitting-room' });
    await why.getByText('Enabled in production').waitFor();
    await why.getByText('Segment “Nordic customers”', { exact: true }).waitFor();
    await why.getByText('country is DK or SE').waitFor();
    await why.getByText('Actual: “DE”').waitFor();

    // Another user opens the URL and sees the same.
    const link = await locationOf(page);
    await visit(`${link.pathname}${link.search}`, { rootRole: 3 });
    await why.getByText('Actual: “DE”').waitFor();
    await why.getByRole('combobox', { name: 'Context' }).selectOption({ index: 1 });
    await why.getByText('Actual: “DK”').waitFor();
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', {
        name: 'fitting-room for country=DE in production: Disabled. Show reasons',
      })
      .waitFor();
  });
});
