import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { person } from '../../../../../test/support/people.ts';
import { recordedBy } from '../../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

test('a splash is marked as seen for the current user only, and recorded once', async () => {
  const ada = await person(app);
  const bob = await person(app);
  const seen = await ada.ask('POST /api/admin/splash/welcome');
  expect([seen.statusCode, seen.json()]).toEqual([
    200,
    { userId: ada.id, splashId: 'welcome', seen: true },
  ]);
  expect(await recordedBy(app.db, seen)).toMatchObject([
    { type: 'user-preference-updated', data: { userId: ada.id, splashId: 'welcome', seen: true } },
  ]);
  expect((await ada.ask('GET /api/admin/user')).json().splash).toEqual({ welcome: true });
  expect((await bob.ask('GET /api/admin/user')).json().splash).toEqual({});
  expect(await recordedBy(app.db, await ada.ask('POST /api/admin/splash/welcome'))).toEqual([]);
});

test('feedback is stored with neverShow, and changes are recorded', async () => {
  const ada = await person(app);
  const given = await ada.ask('POST /api/admin/feedback', { payload: { feedbackId: 'how' } });
  const eventData = {
    userId: ada.id,
    feedbackId: 'how',
    neverShow: false,
    given: expect.any(String),
  };
  expect([given.statusCode, given.json()]).toEqual([200, eventData]);
  const changed = await ada.ask('PUT /api/admin/feedback/how', { payload: { neverShow: true } });
  expect(changed.json()).toEqual({ ...eventData, neverShow: true, given: given.json().given });
  expect(await recordedBy(app.db, changed)).toMatchObject([
    { type: 'user-preference-updated', data: { neverShow: true }, preData: { neverShow: false } },
  ]);
  const again = await ada.ask('PUT /api/admin/feedback/how', { payload: { neverShow: true } });
  expect(await recordedBy(app.db, again)).toEqual([]);
  expect((await ada.ask('GET /api/admin/user')).json().feedback).toEqual([changed.json()]);
});

test('splashes and feedback are limited per user and rejected for an API token', async () => {
  const ada = await person(app);
  await app.db
    .insertInto('user_splashes')
    .values(
      Array.from({ length: 500 }, (_, index) => ({
        user_id: ada.id,
        splash_id: `splash-${index}`,
        seen_at: new Date(),
      })),
    )
    .execute();
  for (const response of [
    await ada.ask('POST /api/admin/splash/one-more'),
    await ada.ask('POST /api/admin/feedback', { payload: { feedbackId: 'one-more' } }),
    await app.ask('POST /api/admin/splash/of-a-token'),
  ]) {
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
  }
});
