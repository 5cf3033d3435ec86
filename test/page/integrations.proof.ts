import { expect } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { withBrowser } from '../support/browser.ts';
import { delivery, failedAttempt, happened } from '../support/deliveries.ts';
import { makeWebhook } from '../support/integrations.ts';
import { make } from '../support/make.ts';
import { locationOf, moveTo, pageTest } from '../support/page-test.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

interface Window {
  readonly getComputedStyle: (element: unknown) => { readonly direction: string };
}

const directionOf = (element: unknown): string =>
  (globalThis as unknown as Window).getComputedStyle(element).direction;

const test = pageTest(() => testApp({ background: 'here' }));

/** A webhook with failed deliveries. It only sends project events, so that nothing else is sent. */
async function failingWebhook(api: TestApp, description: string, events: number) {
  const receiver = await startReceiver({ status: 200, body: 'taken' });
  const { id } = await makeWebhook(api.ask, { url: `${receiver.url}/in`, description });
  const records: string[] = [];
  for (let count = 0; count < events; count += 1) {
    const eventId = await happened(api, { project: 'default', featureName: 'checkout' });
    const attempts = [failedAttempt({ stateDetails: 'Webhook request failed with status 500.' })];
    records.push(await delivery(api, id, { eventId, state: 'givenUp', attempts }));
  }
  const trouble = {
    at: new Date().toISOString(),
    recordId: records.at(-1),
    message: 'Webhook request failed with status 500.',
  };
  await api.db
    .updateTable('integrations')
    .set({ trouble: JSON.stringify(trouble) })
    .where('id', '=', id)
    .execute();
  return { id, receiver, records };
}

const received = ({ received: requests }: Receiver) => requests.length;

withBrowser('the integration pages', () => {
  test.beforeAll(async ({ api }) => {
    await make(api.ask).feature('checkout');
  });

  test('selected deliveries are sent again, and the URL keeps the filters', async ({
    api,
    page,
    visit,
  }) => {
    const { id, receiver } = await failingWebhook(api, 'Warehouse', 2);
    await visit(`/integrations/${id}?state=givenUp&type=feature-created`);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('Retried 2 deliveries: 2 delivered').waitFor();
    expect(received(receiver)).toBe(2);
    const { searchParams } = await locationOf(page);
    expect(Object.fromEntries(searchParams)).toEqual({
      state: 'givenUp',
      type: 'feature-created',
    });
  });

  test('pending deliveries can be sent at once when the receiver works again', async ({
    api,
    page,
    visit,
  }) => {
    const { id, receiver } = await failingWebhook(api, 'Cache', 4);
    await api.db
      .updateTable('deliveries')
      .set({ state: 'pending', tries: 3, next_at: new Date(Date.now() + 3_600_000) })
      .where('integration_id', '=', id)
      .execute();
    await visit(`/integrations/${id}`);
    for (const place of [0, 1]) {
      await page
        .getByRole('checkbox', { name: /^Select delivery of event/ })
        .nth(place)
        .click();
    }
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('Retried 2 deliveries: 2 delivered').waitFor();
    await page.getByRole('button', { name: 'Retry failed' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry', exact: true }).click();
    await expect.poll(() => received(receiver), { timeout: 60_000 }).toBe(4);
  });

  test('a forbidden action is disabled and names its permission', async ({ api, page, visit }) => {
    const { id } = await failingWebhook(api, 'Untouched', 1);
    await visit(`/integrations/${id}`, { rootRole: 3 });
    await page.getByText(/You need “.*” \(UPDATE_ADDON\)/).waitFor();
    const pause = page.getByRole('button', { name: 'Pause' });
    expect(await pause.getAttribute('aria-disabled')).toBe('true');
  });

  test('a description in Hebrew is written from right to left', async ({ api, page, visit }) => {
    const description = 'עדכונים לצוות!';
    const { id } = await failingWebhook(api, description, 1);
    await visit('/');
    for (const path of ['/integrations', `/integrations/${id}`, `/integrations/edit/${id}`]) {
      await moveTo(page, path);
      const text = page.locator('main').getByText(description).first();
      await text.waitFor();
      await expect.poll(() => text.evaluate(directionOf)).toBe('rtl');
    }
  });

  test('a long name without spaces wraps on a phone', async ({ api, page, visit }) => {
    const { id: long } = await failingWebhook(api, 'x'.repeat(240), 1);
    await page.setViewportSize({ width: 360, height: 800 });
    await visit('/');
    for (const path of ['/integrations', `/integrations/${long}`, `/integrations/edit/${long}`]) {
      await moveTo(page, path);
      await page.getByText('x'.repeat(240)).first().waitFor();
      const overflow = () =>
        page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      expect(await overflow()).toBeLessThanOrEqual(0);
    }
  });

  test('a form shows errors and asks before leaving; a webhook is created, previewed, tested and paused', async ({
    page,
    visit,
  }) => {
    await visit('/integrations/create/webhook');
    const url = page.getByLabel('URL', { exact: false }).first();
    await url.fill('nowhere');
    const tags = page.getByRole('combobox', { name: 'Tags', exact: true });
    await tags.fill('x');
    await tags.press('Enter');
    const wrongTag = page.getByText("“simple:x” isn't a valid tag.", { exact: false });
    await wrongTag.waitFor();
    await tags.press('Backspace');
    await wrongTag.waitFor({ state: 'detached' });
    await tags.fill('audited');
    await tags.press('Enter');
    await page.getByText('simple:audited').waitFor();
    await page.getByRole('button', { name: 'Create integration' }).click();
    await page.getByText('Must be a URL', { exact: false }).waitFor();
    await expect.poll(() => url.evaluate((field) => field.matches(':focus'))).toBe(true);
    await page.getByRole('link', { name: 'Integrations' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();

    const receiver = await startReceiver({ status: 202, body: 'thank you' });
    await page.getByRole('link', { name: 'Webhook', exact: true }).click();
    await page.getByRole('heading', { name: 'New Webhook integration' }).waitFor();
    await page.getByLabel('Description').fill('My receiver');
    await page.getByLabel('URL', { exact: false }).first().fill(`${receiver.url}/mine`);
    await page.getByText(/\d+ of the last \d+ events/).waitFor();
    await page.getByRole('button', { name: 'Show message' }).first().click();
    await page
      .getByText(/"type": "feature-/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Create integration' }).click();
    expect(await page.getByTestId('signing-secret').textContent()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'My receiver', level: 1 }).waitFor();
    await page.getByText('No deliveries in this period').waitFor();

    await page.getByRole('button', { name: 'Send test event' }).click();
    const answer = page.getByRole('dialog', { name: 'Test event' });
    await answer.getByText('Test event delivered').waitFor();
    await answer.getByText('thank you').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('New events are queued until you resume.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).waitFor();

    // A stored secret is never shown again.
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByPlaceholder('Saved. Enter a new value to replace it').first().waitFor();
    expect(await page.content()).not.toContain(`${receiver.url}/mine`);
  });

  test('an event that was not sent shows the reason', async ({ api, page, visit }) => {
    const { id } = await failingWebhook(api, 'Archive', 1);
    const eventId = await happened(api, { type: 'feature-archived', project: 'default' });
    await visit(`/integrations/${id}?event=${eventId}`);
    await page.getByText(`Event ${eventId} wasn't sent`).waitFor();
    await page.getByText('Event type feature-archived was not selected at that time.').waitFor();
    await page.getByRole('link', { name: 'View event' }).click();
    await page.getByRole('button', { name: /integrations? skipped$/ }).click();
    await page.getByText(/Archive · Event type feature-archived was not selected/).waitFor();
  });
});
