import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { limitedApp } from '../../../../../test/support/limited-app.ts';
import { askedDuring } from '../../../../../test/support/locks.ts';
import { make } from '../../../../../test/support/make.ts';
import { countEvents } from '../../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project('other');
});

/** Starts a request while a feature is being moved. The request finishes after the move. */
async function whileMoved(feature: string, request: () => ReturnType<TestApp['ask']>) {
  const { response } = await askedDuring(
    app,
    (tx) =>
      tx.db.updateTable('features').set({ project: 'other' }).where('name', '=', feature).execute(),
    request,
  );
  return response;
}

test.each([
  ['see', 404, { sees: new Set(['default']) }],
  [
    'change',
    403,
    { may: (permission: string, scope?: string) => permission === 'none' || scope === 'default' },
  ],
])(
  'a caller who cannot %s the project that a feature is moved to cannot tag it',
  async (_what, status, actor) => {
    const feature = `moving-${status}`;
    await make(app.ask).feature(feature);
    const limited = limitedApp(app, actor);
    const before = await countEvents(app.db);
    const response = await whileMoved(feature, () =>
      limited.ask(`POST /api/admin/features/${feature}/tags`, {
        payload: { type: 'simple', value: 'late' },
      }),
    );
    expect(response.statusCode, response.body).toBe(status);
    expect(await countEvents(app.db)).toBe(before);
  },
);

test('a feature has at most 100 tags', async () => {
  const tags = Array.from({ length: 100 }, (_, index) => ({ type: 'simple', value: `t-${index}` }));
  await make(app.ask).feature('tagged', { tags });
  const one = await app.ask('POST /api/admin/features/tagged/tags', {
    payload: { type: 'simple', value: 'one-more' },
  });
  expect([one.statusCode, one.json().name]).toEqual([403, 'InvalidOperationError']);
  const swapped = await app.ask('PUT /api/admin/features/tagged/tags', {
    payload: { addedTags: [{ type: 'simple', value: 'new' }], removedTags: tags.slice(0, 1) },
  });
  expect(swapped.json().tags).toHaveLength(100);
});
