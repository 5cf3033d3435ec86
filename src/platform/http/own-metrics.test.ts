import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/support/app.ts';
import { makeWebhook } from '../../../test/support/integrations.ts';
import { make } from '../../../test/support/make.ts';
import { countEvents } from '../../../test/support/recorded.ts';
import { clientToken } from '../../../test/support/tokens.ts';
import { programs } from '../../../test/support/usage.ts';
import { version } from '../version.ts';

/** Returns the values of a metric by its labels. */
async function figure(app: TestApp, name: string): Promise<Record<string, number>> {
  const { body } = await app.app.inject({ url: '/internal-backstage/prometheus' });
  const lines = body.matchAll(new RegExp(`^${name}(\\{[^}]*\\})? (\\S+)$`, 'gm'));
  return Object.fromEntries([...lines].map(([, labels = '', value]) => [labels, Number(value)]));
}

/** A metric that was not read from the database in time is missing, or shows an outage. */
const until = (app: TestApp, name: string) => expect.poll(() => figure(app, name));

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ jobs: 'on', background: 'here' });
});

test('the metrics contain the version and the state of the database', async () => {
  expect(await figure(app, 'burgee_build_info')).toEqual({
    [`{version="${version}",node="${process.version}"}`]: 1,
  });
  await until(app, 'burgee_database_up').toEqual({ '': 1 });
  expect(await figure(app, 'burgee_listener_connected')).toEqual({ '': 1 });
  expect(await figure(app, 'burgee_database_pool_size')).toEqual({
    '{pool="burgee"}': 6,
    '{pool="read"}': 4,
    '{pool="gate"}': 4,
    '{pool="search"}': 2,
  });
  for (const name of ['used', 'waiting']) {
    const found = await figure(app, `burgee_database_pool_${name}`);
    const pools = ['burgee', 'read', 'gate', 'search'];
    expect(Object.keys(found)).toEqual(pools.map((pool) => `{pool="${pool}"}`));
  }
  const work = '{work="events: flush the pending lists of the text indexes"}';
  await until(app, 'burgee_periodic_work_done_timestamp_seconds').toMatchObject({
    [work]: expect.any(Number),
  });
});

test('the metrics contain the number of recorded events and the last event id', async () => {
  const before = await countEvents(app.db);
  await until(app, 'burgee_events_head_id').toEqual({ '': before });
  await make(app.ask).feature('counted');
  await until(app, 'burgee_events_head_id').toEqual({ '': before + 1 });
  expect(await figure(app, 'burgee_events_appended_total')).toEqual({ '': 1 });
});

test('the metrics contain pending and failed deliveries and attempts', async () => {
  const { id } = await makeWebhook(app.ask, { url: 'http://127.0.0.1:9/hook' });
  const labels = `{integration="${id}",provider="webhook"}`;
  await until(app, 'burgee_deliveries_given_up').toEqual({ [labels]: 0 });
  await until(app, 'burgee_deliveries_oldest_pending_seconds').toEqual({ [labels]: 0 });
  await make(app.ask).project('told');
  await until(app, 'burgee_deliveries_pending').toEqual({ [labels]: 1 });
  await until(app, 'burgee_delivery_attempts_total').toMatchObject({
    '{outcome="failed"}': expect.any(Number),
  });
  await expect
    .poll(async () => (await figure(app, 'burgee_deliveries_oldest_pending_seconds'))[labels])
    .toBeGreaterThan(0);
});

test('the metrics contain usage that is not stored yet, and open streams', async () => {
  expect(await figure(app, 'burgee_usage_waiting')).toEqual({ '': 0 });
  await programs(app).register();
  // Stored within a second; pending until then.
  await until(app, 'burgee_usage_waiting').toEqual({ '': 0 });
  const address = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const ending = new AbortController();
  await fetch(`${address}/api/client/streaming`, {
    headers: { authorization: clientToken, accept: 'text/event-stream' },
    signal: ending.signal,
  });
  await until(app, 'burgee_sdk_streams').toEqual({ '': 1 });
  ending.abort();
  await until(app, 'burgee_sdk_streams').toEqual({ '': 0 });
});

test('the metrics contain failed sign-ins', async () => {
  const payload = { username: 'admin', password: 'not the one' };
  const refused = await app.app.inject({ method: 'POST', url: '/auth/simple/login', payload });
  expect(refused.statusCode).toBe(401);
  await until(app, 'burgee_sign_ins_total').toEqual({
    '{method="password",outcome="refused"}': 1,
  });
});
