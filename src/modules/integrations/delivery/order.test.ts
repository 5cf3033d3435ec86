import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { appOn, type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { webhookOfTest } from '../../../../test/support/integrations.ts';
import { type Received, startReceiver } from '../../../../test/support/receiver.ts';
import { defineEvent, record } from '../../events/index.ts';

const happened = defineEvent<object>({
  type: 'feature-created',
  label: 'Something happened',
  summary: ({ user, feature }) => `${user} made ${feature}`,
});

const count = 20;
const names = Array.from({ length: count }, (_, number) => `f-${number}`);

/** Generous, because these tests assert order and not time. */
const patience = { timeout: 60_000, interval: 10 };

const featureOf = ({ body }: Received): string => JSON.parse(body).featureName;

/** Committed together, so that all events exist before the first delivery. */
const burst = ({ transact }: TestApp, features: readonly string[]) =>
  transact(testActor, async (tx) => {
    for (const featureName of features) {
      record(tx, happened({ project: 'default', featureName, data: {} }));
    }
  });

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ background: 'here' });
});

const orderly = { events: ['feature-created'], inOrder: true };

describe('delivery in strict order (decisions: integration events)', () => {
  test('sends a burst of events in order', async () => {
    const receiver = await startReceiver();
    await webhookOfTest(app, { url: receiver.url, ...orderly });

    await burst(app, names);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(count), patience);

    expect(receiver.received.map(featureOf)).toEqual(names);
  });

  test('sends consecutive events in order', async () => {
    const receiver = await startReceiver();
    await webhookOfTest(app, { url: receiver.url, ...orderly });

    for (const name of names) await burst(app, [name]);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(count), patience);

    expect(receiver.received.map(featureOf)).toEqual(names);
  });

  test('sends events in order and only once from two instances', async () => {
    const second = await appOn(app, { background: 'here' });
    let underWay = 0;
    let most = 0;
    const receiver = await startReceiver(async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await delay(5);
      underWay -= 1;
      return { status: 200 };
    });
    await webhookOfTest(app, { url: receiver.url, ...orderly });

    for (let from = 0; from < count; from += 5) {
      await burst((from / 5) % 2 === 0 ? app : second, names.slice(from, from + 5));
    }
    await vi.waitFor(async () => {
      expect(receiver.received.length).toBeGreaterThanOrEqual(count);
      const pending = app.db.selectFrom('deliveries').where('state', '=', 'pending').select('id');
      expect(await pending.execute()).toEqual([]);
    }, patience);

    expect(receiver.received.map(featureOf)).toEqual(names);
    expect(most).toBe(1);
  });
});
