import { beforeAll, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../test/support/app.ts';
import { person } from '../../../../test/support/people.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';
import { transactOn } from '../../../app/transact.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { retentionJob } from '../../events/proof/retention.ts';
import { verifyLog } from '../../events/proof/verify.ts';
import { systemActor } from '../gate/index.ts';
import { findRetentionDays } from './service.ts';

const path = '/api/admin/settings/retention';

let app: TestApp;
let decided: TestApp;
beforeAll(async () => {
  app = await testApp();
  decided = await appOn(app, { config: { eventRetentionDays: 90 } });
});

const set = (eventDays: unknown) => app.ask(`PUT ${path}`, { payload: { eventDays } as object });

test('events are kept forever by default; setting a retention is recorded', async () => {
  expect((await app.ask(`GET ${path}`)).json()).toEqual({ eventDays: null, setBy: 'default' });
  const response = await set(365);
  expect([response.statusCode, response.json()]).toEqual([
    200,
    { eventDays: 365, setBy: 'setting' },
  ]);
  expect((await app.ask(`GET ${path}`)).json()).toEqual({ eventDays: 365, setBy: 'setting' });
  expect(await recordedBy(app.db, response)).toMatchObject([
    { type: 'setting-created', data: { id: 'burgee.event-retention', eventDays: 365 } },
  ]);
});

test('setting null keeps events forever again', async () => {
  await set(365);
  const response = await set(null);
  expect(response.json()).toEqual({ eventDays: null, setBy: 'default' });
  expect(await recordedBy(app.db, response)).toMatchObject([
    { type: 'setting-deleted', data: { id: 'burgee.event-retention' } },
  ]);
  expect(await recordedBy(app.db, await set(null))).toEqual([]);
});

test('EVENT_RETENTION_DAYS takes precedence and cannot be changed through the API', async () => {
  await set(7);
  expect((await decided.ask(`GET ${path}`)).json()).toEqual({
    eventDays: 90,
    setBy: 'environment',
  });
  for (const eventDays of [30, null]) {
    const refused = await decided.ask(`PUT ${path}`, { payload: { eventDays } });
    expect([refused.statusCode, refused.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(refused.json().message).toContain('EVENT_RETENTION_DAYS');
  }
  expect((await app.ask(`GET ${path}`)).json().eventDays).toBe(7);
});

test('the event retention must be a positive integer of days', async () => {
  for (const days of [0, -1, 1.5, '30', 100_001, undefined, true]) {
    expect((await set(days)).statusCode, String(days)).toBe(400);
  }
});

test('reading and changing the event retention requires an administrator', async () => {
  const editor = await person(app, { rootRole: 2 });
  for (const request of [`GET ${path}`, `PUT ${path}`] as const) {
    const refused = await editor.ask(request, { payload: { eventDays: 1 } });
    expect([refused.statusCode, refused.json().name]).toEqual([403, 'NoAccessError']);
  }
});

test('the retention job deletes events by this setting, and the remaining log verifies', async () => {
  const later = transactOn(app.db, () => new Date(Date.now() + 400 * 86_400_000));
  const services = {
    transact: later,
    stopping: new AbortController().signal,
    metrics: createMetrics(),
  };
  const { run } = retentionJob(
    services,
    systemActor,
    { eventRetentionDays: undefined },
    findRetentionDays,
  );

  await set(null);
  const all = await countEvents(app.db);
  await run();
  expect(await countEvents(app.db)).toBe(all);

  await set(500);
  await run();
  expect(await countEvents(app.db)).toBeGreaterThan(all);

  await set(399);
  await run();
  expect(await countEvents(app.db)).toBeLessThan(all);
  expect((await verifyLog(app.db)).fault).toBeUndefined();
});
