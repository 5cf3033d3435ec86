import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import {
  delivery,
  failedAttempt,
  happened,
  integration,
} from '../../../../test/support/deliveries.ts';
import { make } from '../../../../test/support/make.ts';
import { type Person, person } from '../../../../test/support/people.ts';

type Ask = TestApp['ask'];

const addons = '/api/admin/addons';

let app: TestApp;
let editor: Person;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project('web');
  await make(app.ask).project('secret', { mode: 'private' });
  editor = await person(app, { rootRole: 2 });
});

const payload = (more: object) => ({
  provider: 'webhook',
  enabled: false,
  parameters: { url: 'http://127.0.0.1:9/hook' },
  events: ['feature-created'],
  ...more,
});

const created = async (more: object, ask: Ask = app.ask): Promise<number> =>
  (await ask(`POST ${addons}`, { payload: payload(more) })).json().id;

const put = (id: number, more: object) =>
  app.ask(`PUT ${addons}/${id}`, { payload: payload({ parameters: { url: '*****' }, ...more }) });

const ask = (eventId: number, as: Ask = app.ask) =>
  as(`GET /api/admin/search/events/${eventId}/deliveries`);

/** The result for one integration. */
const answerFor = async (eventId: number, id: number, as: Ask = app.ask) =>
  (await ask(eventId, as))
    .json()
    .integrations.find(({ integrationId }: { integrationId: number }) => integrationId === id);

const featureCreated = (project = 'web') =>
  happened(app, { type: 'feature-created', project, environment: 'production' });

describe('the deliveries of an event', () => {
  test('are returned with their states', async () => {
    const eventId = await featureCreated();
    const ids = {
      delivered: await integration(app),
      pending: await integration(app),
      failed: await integration(app),
      retried: await integration(app),
    };
    await delivery(app, ids.delivered, { eventId });
    await delivery(app, ids.pending, { eventId, state: 'pending' });
    const givenUp = await delivery(app, ids.failed, { eventId, state: 'givenUp' });
    await delivery(app, ids.retried, {
      eventId,
      state: 'pending',
      outcome: 'failed',
      attempts: [failedAttempt()],
    });
    expect(await answerFor(eventId, ids.delivered)).toMatchObject({
      outcome: 'delivered',
      why: 'Delivered',
    });
    expect(await answerFor(eventId, ids.pending)).toMatchObject({
      outcome: 'pending',
      why: 'Integration paused',
    });
    expect(await answerFor(eventId, ids.failed)).toMatchObject({
      outcome: 'failed',
      delivery: { id: givenUp, state: 'givenUp', eventId },
    });
    expect(await answerFor(eventId, ids.retried)).toMatchObject({ outcome: 'failed' });
  });

  test('are explained by the settings at the time of the event', async () => {
    const id = await created({ enabled: false });
    const whileDisabled = await featureCreated();
    await put(id, { enabled: true, events: [] });
    const withoutType = await featureCreated();
    await put(id, { enabled: true, projects: ['default'] });
    const otherProject = await featureCreated();
    await put(id, { enabled: true, environments: ['development'] });
    const otherEnvironment = await featureCreated();
    await put(id, { enabled: true, tags: [{ type: 'simple', value: 'wanted' }] });
    const untagged = await featureCreated();
    const explained = async (eventId: number) => {
      const { outcome, reason, why } = await answerFor(eventId, id);
      return [outcome, reason, why];
    };
    expect(await explained(whileDisabled)).toEqual([
      ...['notSent', 'disabled', 'Integration was disabled at that time'],
    ]);
    expect(await explained(withoutType)).toEqual([
      ...['notSent', 'type'],
      'Event type feature-created was not selected at that time',
    ]);
    expect(await explained(otherProject)).toEqual([
      ...['notSent', 'project', 'Project web was not in the filter at that time'],
    ]);
    expect(await explained(otherEnvironment)).toEqual([
      ...['notSent', 'environment'],
      'Environment production was not in the filter at that time',
    ]);
    expect(await explained(untagged)).toEqual([
      ...['notSent', 'tags', 'Feature had none of the selected tags: simple:wanted'],
    ]);
  });

  test('do not exist for an integration that was created later', async () => {
    const eventId = await featureCreated();
    const id = await created({ enabled: true });
    expect(await answerFor(eventId, id)).toMatchObject({
      outcome: 'notSent',
      reason: 'createdLater',
    });
  });

  test('do not exist if the account of the integration cannot see the event', async () => {
    const id = await created({ enabled: true }, editor.ask);
    const eventId = await featureCreated('secret');
    expect(await answerFor(eventId, id)).toMatchObject({
      outcome: 'notSent',
      reason: 'notVisible',
    });
  });

  test('return 404 for an invisible event, exactly as for an unknown one', async () => {
    const eventId = await featureCreated('secret');
    const id = await integration(app);
    await delivery(app, id, { eventId });
    const [hidden, absent] = [await ask(eventId, editor.ask), await ask(999_999, editor.ask)];
    expect([hidden.statusCode, absent.statusCode]).toEqual([404, 404]);
    expect(hidden.json().message.replace(String(eventId), '999999')).toBe(absent.json().message);
    expect((await ask(eventId)).statusCode).toBe(200);
    const nonsense = await app.ask('GET /api/admin/search/events/nonsense/deliveries');
    expect(nonsense.statusCode).toBe(404);
  });

  test('contain neither integrations for invisible projects nor secrets', async () => {
    const about = await created({ projects: ['secret'], description: 'about secrets' });
    const eventId = await featureCreated();
    expect(await answerFor(eventId, about)).toMatchObject({ reason: 'disabled' });
    const { body } = await ask(eventId, editor.ask);
    expect(body).not.toContain('about secrets');
    expect((await ask(eventId)).body).not.toContain('127.0.0.1');
  });
});
