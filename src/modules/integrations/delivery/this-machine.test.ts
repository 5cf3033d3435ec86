import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { createProject, makeWebhook, recordsOf } from '../../../../test/support/integrations.ts';
import { person } from '../../../../test/support/people.ts';
import { startReceiver } from '../../../../test/support/receiver.ts';

const soon = { timeout: 60_000, interval: 10 };
const secret = { status: 200, body: { internalSecret: 'of-a-local-service' } };
const remedy = /add it to ALLOW_PRIVATE_TARGETS, or have an admin save the integration/;

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ background: 'here' });
});

describe('a service on this machine while HOST is loopback', () => {
  test('is not reachable for an integration last changed by an editor', async () => {
    const editor = await person(app, { rootRole: 2 });
    const local = await startReceiver(secret);
    const { id } = await makeWebhook(editor.ask, { url: `${local.url}/_search` });
    const tested = await editor.ask(`POST /api/admin/addons/${id}/test`);
    expect(tested.json()).toMatchObject({
      state: 'failed',
      stateDetails: expect.stringMatching(remedy),
    });
    await createProject(app.ask, 'told');
    await vi.waitFor(async () => expect(await recordsOf(app.ask, id)).toHaveLength(1), soon);
    const [record] = await recordsOf(app.ask, id);
    expect(record).toMatchObject({ state: 'failed', stateDetails: expect.stringMatching(remedy) });
    const again = await editor.ask(`POST /api/admin/addons/${id}/events/${record?.id}/redeliver`);
    expect(again.statusCode).toBe(202);
    await vi.waitFor(async () => {
      const [{ details } = { details: { attempts: [] } }] = await recordsOf(app.ask, id);
      expect(details.attempts.length).toBeGreaterThan(1);
    }, soon);
    expect(local.received).toEqual([]);
  });

  test('is reachable once an administrator has saved the integration, while they are an administrator', async () => {
    const editor = await person(app, { rootRole: 2 });
    const admin = await person(app, { rootRole: 1 });
    const local = await startReceiver(secret);
    const { id } = await makeWebhook(editor.ask, { url: local.url });
    const asItIs = {
      provider: 'webhook',
      enabled: true,
      events: ['project-created'],
      parameters: { url: '*****' },
    };
    // Disabling and enabling an integration does not make an account responsible for it.
    await admin.ask(`PUT /api/admin/addons/${id}`, { payload: { ...asItIs, enabled: false } });
    await admin.ask(`PUT /api/admin/addons/${id}`, { payload: { ...asItIs, description: 'on' } });
    const stillRefused = await admin.ask(`POST /api/admin/addons/${id}/test`);
    expect(stillRefused.json().state).toBe('failed');
    await admin.ask(`PUT /api/admin/addons/${id}`, { payload: { ...asItIs, description: 'on' } });
    const reached = await editor.ask(`POST /api/admin/addons/${id}/test`);
    expect(reached.json().state).toBe('success');
    await app.db.updateTable('users').set({ root_role: 2 }).where('id', '=', admin.id).execute();
    expect((await editor.ask(`POST /api/admin/addons/${id}/test`)).json().state).toBe('failed');
    expect(local.received).toHaveLength(1);
  });

  test('is reachable for editors if ALLOW_PRIVATE_TARGETS includes it', async () => {
    const allowing = await testApp({
      config: { targets: { privateTargets: ['127.0.0.0/8'], loopback: true } },
    });
    const editor = await person(allowing, { rootRole: 2 });
    const local = await startReceiver(secret);
    const { id } = await makeWebhook(editor.ask, { url: local.url });
    const tested = await editor.ask(`POST /api/admin/addons/${id}/test`);
    expect(tested.json().state).toBe('success');
  });
});
