import { withBrowser } from '../support/browser.ts';
import { locationOf, pageTest } from '../support/page-test.ts';
import { createBoutique } from './boutique.ts';

const test = pageTest();

withBrowser('the playground', () => {
  test('explains why a user does not get a feature, and its link shows the same', async ({
    api,
    page,
    visit,
  }) => {
    await createBoutique(api.ask, 'boutique');

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
