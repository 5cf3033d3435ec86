import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { delivery, failedAttempt, happened, integration } from '../support/deliveries.ts';
import { person } from '../support/people.ts';

let app: TestApp;
let id: number;
beforeAll(async () => {
  app = await testApp();
  id = await integration(app);
});

const records = async (integrationId = id, ask = app.ask) =>
  (await ask(`GET /api/admin/addons/${integrationId}/events`)).json().integrationEvents;

/** A new integration with one delivery, and its integration event. */
async function only(
  overrides: Omit<Parameters<typeof delivery>[2], 'eventId'>,
  happening: Parameters<typeof happened>[1] = {},
  provider?: string,
) {
  const own = await integration(app, provider === undefined ? {} : { provider });
  const eventId = await happened(app, happening);
  const made = await delivery(app, own, { eventId, ...overrides });
  return { own, eventId, made, record: (await records(own))[0] };
}

const keys = ['createdAt', 'details', 'event', 'id', 'integrationId', 'state', 'stateDetails'];

describe('an integration event (2.9)', () => {
  test.each([
    ['success', 'delivered'],
    ['successWithErrors', 'delivered'],
    ['failed', 'givenUp'],
    ['failed', 'pending'],
  ] as const)(
    'has exactly the specified keys with state %s, delivery %s',
    async (outcome, state) => {
      const { record } = await only({ outcome, state, target: null });
      expect(Object.keys(record).sort()).toEqual(keys);
      expect(record.state).toBe(outcome);
      expect(Object.values(record)).not.toContain(null);
    },
  );

  test('has a version 7 UUID as its id, which is also the webhook-id', async () => {
    const { made, record } = await only({});
    expect(record.id).toBe(made);
    expect(record.id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  test('contains the id of its integration and its creation time', async () => {
    const { own, record } = await only({ createdAt: new Date('2026-02-03T04:05:06.070Z') });
    expect(record).toMatchObject({ integrationId: own, createdAt: '2026-02-03T04:05:06.070Z' });
  });

  test('contains stateDetails as text, including line breaks', async () => {
    const { record } = await only({ stateDetails: 'One "line".\nAnother 🚀' });
    expect(record.stateDetails).toBe('One "line".\nAnother 🚀');
  });

  test('contains the complete event, as event search returns it', async () => {
    const { eventId, record } = await only(
      {},
      {
        type: 'feature-updated',
        project: 'default',
        environment: 'development',
        featureName: 'say-"big"',
        data: { name: 'new\nline' },
        preData: { name: 'before' },
        tags: [{ type: 'simple', value: 'red' }],
        by: { ip: '203.0.113.7' },
      },
    );
    const [found] = (await app.ask(`GET /api/admin/search/events?id=IS:${eventId}`)).json().events;
    expect(record.event).toEqual(found);
    expect(record.event).toMatchObject({
      id: eventId,
      type: 'feature-updated',
      featureName: 'say-"big"',
      data: { name: 'new\nline' },
      ip: '203.0.113.7',
    });
    const { record: bare } = await only({});
    for (const key of ['environment', 'project', 'featureName', 'preData', 'ip']) {
      expect([key, bare.event[key]]).toEqual([key, null]);
    }
  });

  test('shows the IP address of the event only to administrators', async () => {
    const { own, record } = await only({}, { project: 'default', by: { ip: '203.0.113.9' } });
    const editor = await person(app, { rootRole: 2 });
    const [shown] = await records(own, editor.ask);
    expect([record.event.ip, shown.event.ip]).toEqual(['203.0.113.9', null]);
    expect({ ...shown, event: { ...shown.event, ip: '203.0.113.9' } }).toEqual(record);
  });

  test('contains url, contentType and body of a webhook in details', async () => {
    const attempts = [failedAttempt({ nextAttemptAt: '2026-03-01T12:00:05.000Z' })];
    const { record } = await only({ outcome: 'failed', state: 'pending', attempts });
    expect(record.details).toEqual({
      url: 'https://receiver.example.com/*****',
      contentType: 'application/json',
      body: { a: 1 },
      attempts,
    });
    const templated = { contentType: 'text/plain', body: '{"a":1}', templated: true };
    const { record: other } = await only({ message: templated });
    expect(other.details.body).toBe('{"a":1}');
  });

  test('contains the message fields of an unknown provider in details, without a url if there is no target', async () => {
    const { record } = await only(
      { message: { message: 'hello' }, target: null },
      {},
      'no-longer-known',
    );
    expect(record.details).toEqual({ message: 'hello', attempts: [] });
  });

  test('lists all attempts in details, oldest first', async () => {
    const attempts = [
      failedAttempt({ nextAttemptAt: '2026-03-01T12:00:05.000Z' }),
      failedAttempt({ at: '2026-03-01T12:00:05.100Z', error: 'No answer came.', exchanges: [] }),
      failedAttempt({
        at: '2026-03-01T12:05:00.000Z',
        state: 'success',
        stateDetails: 'Taken.',
        status: 204,
      }),
    ];
    const { record } = await only({ attempts });
    expect(record.details.attempts).toEqual(attempts);
  });
});

describe('the list of integration events (2.9)', () => {
  test('is returned under integrationEvents, even if empty', async () => {
    const response = await app.ask(`GET /api/admin/addons/${await integration(app)}/events`);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.json()).toEqual({ integrationEvents: [] });
  });

  test('contains the same object that GET by id returns', async () => {
    const { own, made, record } = await only({ attempts: [failedAttempt()] });
    const one = await app.ask(`GET /api/admin/addons/${own}/events/${made}`);
    expect([one.statusCode, one.json()]).toEqual([200, record]);
    const upper = await app.ask(`GET /api/admin/addons/${own}/events/${made.toUpperCase()}`);
    expect(upper.json()).toEqual(record);
  });

  test('omits deliveries that were not attempted yet', async () => {
    const own = await integration(app);
    const made = await delivery(app, own, { eventId: await happened(app), state: 'pending' });
    expect(await records(own)).toEqual([]);
    const one = await app.ask(`GET /api/admin/addons/${own}/events/${made}`);
    expect([one.statusCode, one.json().name]).toEqual([404, 'NotFoundError']);
  });
});
