import { expect } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { faultsOf, faultsOnPhone, wcag } from '../../support/axe.ts';
import { withBrowser } from '../../support/browser.ts';
import { delivery, failedAttempt, happened } from '../../support/deliveries.ts';
import { makeWebhook } from '../../support/integrations.ts';
import { make } from '../../support/make.ts';
import { locationOf, pageTest } from '../../support/page-test.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';

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
  return { receiver };
}

const received = ({ received: requests }: Receiver) => requests.length;

withBrowser('the integration pages', () => {
  test.beforeAll(async ({ api }) => {
    await make(api.ask).feature('checkout');
  });

  test('a failing webhook is found, diagnosed and redelivered', async ({ api, page, visit }) => {
    const { receiver } = await failingWebhook(api, 'Build server', 3);
    await visit('/integrations');
    await page.getByRole('link', { name: 'Build server' }).click();
    await page.getByText('Deliveries are failing').waitFor();
    await page.getByRole('link', { name: '3 deliveries failed permanently' }).click();
    await page.waitForURL(/state=givenUp/);

    // Request and response are shown side by side.
    await page.getByRole('button', { name: 'feature created' }).first().click();
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    const first = drawer.getByRole('region', { name: 'Attempt 1' });
    await first.getByText('POST https://receiver.example.com/*****').waitFor();
    await first.getByText('Response 500').waitFor();
    expect(await faultsOf(page, { runOnly: wcag })).toEqual([]);

    await drawer.getByRole('button', { name: 'Redeliver' }).click();
    const second = drawer.getByRole('region', { name: 'Attempt 2' });
    await second.getByText('Response 200').waitFor();
    expect(received(receiver)).toBe(1);
    await page.goBack();
    await drawer.waitFor({ state: 'detached' });
    expect((await locationOf(page)).search).toContain('state=givenUp');

    await page.getByRole('button', { name: 'Retry failed' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry', exact: true }).click();
    await page.getByText('Retried 2 deliveries: 2 delivered').waitFor();
    expect(received(receiver)).toBe(3);
    await page.getByText('No matching deliveries').waitFor();
    expect(await faultsOnPhone(page)).toEqual([]);
  });
});
