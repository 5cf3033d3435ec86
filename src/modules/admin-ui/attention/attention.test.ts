import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { delivery, happened, integration } from '../../../../test/support/deliveries.ts';
import { make } from '../../../../test/support/make.ts';
import { type Person, person } from '../../../../test/support/people.ts';
import { programs, tokenFor } from '../../../../test/support/usage.ts';

let app: TestApp;
let insider: Person;
let outsider: Person;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project('sealed', { mode: 'private' });
  insider = await person(app, { roles: { sealed: 5 } });
  outsider = await person(app);
});

const attention = async ({ ask }: Pick<TestApp, 'ask'>) =>
  (await ask('GET /api/admin/attention')).json();

test('nothing needs attention at first', async () => {
  const nothing = {
    notifications: 0,
    changeRequestsToReview: 0,
    emergenciesToReview: 0,
    changeRequestsToApply: 0,
    featuresToCleanUp: 0,
    failingIntegrations: 0,
    unknownFlags: 0,
  };
  expect(await attention(app)).toEqual(nothing);
  expect(await attention(outsider)).toEqual(nothing);
});

test('features to clean up are counted for those who can archive them', async () => {
  for (const name of ['old', 'older', 'new']) {
    await make(app.ask).feature(name, { project: 'sealed' });
  }
  await app.ask('POST /api/admin/projects/sealed/stale', {
    payload: { features: ['old'], stale: true },
  });
  await app.db
    .updateTable('features')
    .set({ created_at: new Date('2020-01-01') })
    .where('name', '=', 'older')
    .execute();
  expect(await attention(app)).toMatchObject({ featuresToCleanUp: 2 });
  expect(await attention(insider)).toMatchObject({ featuresToCleanUp: 2 });
  expect(await attention(outsider)).toMatchObject({ featuresToCleanUp: 0 });
  const viewer = await person(app, { rootRole: 3 });
  await make(app.ask).feature('stale-in-public');
  await app.ask('POST /api/admin/projects/default/stale', {
    payload: { features: ['stale-in-public'], stale: true },
  });
  expect(await attention(app)).toMatchObject({ featuresToCleanUp: 3 });
  expect(await attention(viewer)).toMatchObject({ featuresToCleanUp: 0 });
});

test('failing integrations are counted as in their list, without those of hidden projects', async () => {
  const failing = async (project: string, more: object = {}) => {
    const id = await integration(app, { pausedAt: null, projects: [project], ...more });
    await app.db
      .updateTable('integrations')
      .set({ named_after: 1e9 })
      .where('id', '=', id)
      .execute();
    const eventId = await happened(app, { project });
    const nextAt = new Date('2099-01-01');
    await delivery(app, id, { eventId, state: 'pending', outcome: 'failed', nextAt });
  };
  await failing('default');
  await failing('sealed');
  await failing('default', { enabled: false });
  await failing('default', { pausedAt: new Date() });
  expect(await attention(app)).toMatchObject({ failingIntegrations: 2 });
  expect(await attention(insider)).toMatchObject({ failingIntegrations: 2 });
  expect(await attention(outsider)).toMatchObject({ failingIntegrations: 1 });
});

test('unknown flags are counted once, without those that may belong to hidden projects', async () => {
  const counts = { yes: 1, no: 0 };
  const { metrics } = programs(app);
  await metrics({ missing: counts }, { appName: 'one' });
  await metrics({ missing: counts }, { appName: 'two' });
  await metrics({ secret: counts }, { appName: 'three', token: await tokenFor(app, ['sealed']) });
  await app.ask('GET /api/admin/metrics/unknown-flags');
  expect(await attention(app)).toMatchObject({ unknownFlags: 2 });
  expect(await attention(outsider)).toMatchObject({ unknownFlags: 1 });
});

test('unknown flags are counted up to a limit', async () => {
  await app.db
    .insertInto('unknown_features')
    .values(
      Array.from({ length: 120 }, (_, nth) => ({
        name: `unknown-${nth}`,
        app_name: 'one',
        environment: 'development',
        seen_at: new Date(),
      })),
    )
    .execute();
  expect(await attention(app)).toMatchObject({ unknownFlags: 100 });
  expect(await attention(outsider)).toMatchObject({ unknownFlags: 100 });
});

test('unread notifications are counted', async () => {
  await make(app.ask).feature('followed');
  const path = '/api/admin/user/follows';
  await outsider.ask(`PUT ${path}/projects/default/features/followed`);
  await app.ask('PUT /api/admin/projects/default/features/followed', {
    payload: { name: 'followed', type: 'release', description: 'Changed' },
  });
  expect(await attention(outsider)).toMatchObject({ notifications: 1 });
  await outsider.ask(`PUT ${path}/notifications/read`, { payload: {} });
  expect(await attention(outsider)).toMatchObject({ notifications: 0 });
  expect(await attention(app)).toMatchObject({ notifications: 0 });
});
