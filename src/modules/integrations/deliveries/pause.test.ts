import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { createProject, makeWebhook } from '../../../../test/support/integrations.ts';
import { startReceiver } from '../../../../test/support/receiver.ts';
import { recordedBy } from '../../../../test/support/recorded.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ background: 'here' });
});

const ask = (id: number, what: 'pause' | 'resume') =>
  app.ask(`POST /api/admin/addons/${id}/${what}`);

describe('a paused integration', () => {
  test('is returned as paused and recorded once, and so is its resumption', async () => {
    const { id } = await makeWebhook(app.ask, { url: 'https://receiver.example.com' });
    const paused = await ask(id, 'pause');
    expect([paused.statusCode, paused.json()]).toMatchObject([200, { id, paused: true }]);
    expect(await recordedBy(app.db, paused)).toMatchObject([{ type: 'addon-config-updated' }]);
    const again = await ask(id, 'pause');
    expect([again.statusCode, again.json().pausedAt]).toEqual([200, paused.json().pausedAt]);
    expect(await recordedBy(app.db, again)).toEqual([]);
    const resumed = await ask(id, 'resume');
    expect([resumed.statusCode, resumed.json()]).toMatchObject([200, { id, paused: false }]);
    expect(resumed.json()).not.toHaveProperty('pausedAt');
    expect(await recordedBy(app.db, resumed)).toMatchObject([{ type: 'addon-config-updated' }]);
    expect(await recordedBy(app.db, await ask(id, 'resume'))).toEqual([]);
  });

  test('receives nothing until it is resumed, then everything in order', async () => {
    const receiver = await startReceiver();
    const { id } = await makeWebhook(app.ask, { url: receiver.url, inOrder: true });
    await ask(id, 'pause');
    for (const name of ['one', 'two', 'three'])
      await createProject(app.ask, `while-paused-${name}`);
    const backlog = async () => (await app.ask(`GET /api/admin/addons/${id}/deliveries`)).json();
    await expect.poll(async () => (await backlog()).total.pending).toBe(3);
    expect((await backlog()).deliveries.map(({ why }: { why: string }) => why)).toEqual(
      Array(3).fill('Integration paused'),
    );
    expect((await backlog()).deliveries[0]).not.toHaveProperty('nextAttemptAt');
    expect(receiver.received).toEqual([]);
    await ask(id, 'resume');
    await expect.poll(() => receiver.received.length).toBe(3);
    expect(receiver.received.map(({ body }) => JSON.parse(body).project)).toEqual([
      'while-paused-one',
      'while-paused-two',
      'while-paused-three',
    ]);
    await expect.poll(async () => (await backlog()).total.pending).toBe(0);
  });
});
