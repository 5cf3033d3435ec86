import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';
import { adminToken } from '../../../../test/support/tokens.ts';

let app: TestApp;
let url: string;
beforeAll(async () => {
  app = await testApp();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.app.server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/api/admin/search/events`;
});

/** Follows the live tail and returns what has arrived and whether the server has ended it. */
async function follow(token: string, query = '') {
  const abort = new AbortController();
  const response = await fetch(`${url}${query}`, {
    headers: { authorization: token, accept: 'text/event-stream' },
    signal: abort.signal,
  });
  const seen = { text: '', ended: false };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) seen.text += decoder.decode(chunk as Uint8Array);
    seen.ended = true;
  };
  read().catch(() => undefined);
  return { seen, stop: () => abort.abort() };
}

const waiting = { timeout: 60_000, interval: 10 };

test('events of a project that becomes private are no longer sent to its followers', async () => {
  const viewer = await person(app);
  const before = await follow(viewer.token);
  await make(app.ask).project('closing');
  // Until the server has noticed the new project, it also ends streams that were opened later.
  await expect.poll(() => before.seen.ended, waiting).toBe(true);
  const [theirs, ours] = [await follow(viewer.token), await follow(adminToken)];
  await make(app.ask).feature('told-to-all', { project: 'closing' });
  await expect.poll(() => theirs.seen.text, waiting).toContain('told-to-all');

  await app.ask('PUT /api/admin/projects/closing/settings', { payload: { mode: 'private' } });
  await expect.poll(() => theirs.seen.ended, waiting).toBe(true);
  await make(app.ask).feature('told-to-few', { project: 'closing' });
  await expect.poll(() => ours.seen.text, waiting).toContain('told-to-few');
  expect(ours.seen.ended).toBe(false);
  expect(theirs.seen.text).not.toContain('told-to-few');
  ours.stop();

  const reconnected = await follow(viewer.token);
  await make(app.ask).feature('told-to-few-2', { project: 'closing' });
  await make(app.ask).feature('told-to-all-2');
  await expect.poll(() => reconnected.seen.text, waiting).toContain('told-to-all-2');
  expect(reconnected.seen.text).not.toContain('told-to-few');
  reconnected.stop();
});

test('a new token, account, role or link does not end the streams of other accounts', async () => {
  const follower = await person(app);
  const { seen, stop } = await follow(follower.token);
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const ask = async (path: string, payload: object) =>
    (await app.ask(`POST /api/admin/${path}`, { payload })).statusCode;
  const statuses = [
    await ask('api-tokens', { tokenName: 'new', type: 'client', projects: ['*'] }),
    await ask('user-admin', { email: 'new@example.com', rootRole: 3 }),
    await ask('service-account', { username: 'new-robot', name: 'Robot', rootRole: 3 }),
    await ask('roles', { name: 'new role', type: 'custom', permissions: [] }),
    await ask('invite-link/tokens', { name: 'new', expiresAt }),
  ];
  expect(statuses).toEqual([201, 201, 201, 200, 201]);
  await make(app.ask).feature('after-new-access');
  await expect.poll(() => seen.text, waiting).toContain('after-new-access');
  expect(seen.ended).toBe(false);
  stop();
});

test('favoriting a project or changing a preference does not end the streams of other accounts', async () => {
  const [follower, other] = [await person(app), await person(app)];
  const { seen, stop } = await follow(follower.token);
  const changes = [
    await other.ask('POST /api/admin/projects/default/favorites'),
    await other.ask('DELETE /api/admin/projects/default/favorites'),
    await other.ask('POST /api/admin/splash/seen'),
  ];
  expect(changes.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  await make(app.ask).feature('after-favorites');
  await expect.poll(() => seen.text, waiting).toContain('after-favorites');
  expect(seen.ended).toBe(false);
  stop();
});

test('revoking a token ends the tails that use it', async () => {
  const created = await app.ask('POST /api/admin/api-tokens', {
    payload: { tokenName: 'follower', type: 'admin' },
  });
  const { id, secret } = created.json();
  const { seen } = await follow(secret);
  await make(app.ask).project('still-told');
  await expect.poll(() => seen.text, waiting).toContain('still-told');
  expect(seen.ended).toBe(false);
  await app.ask(`DELETE /api/admin/api-tokens/${id}`);
  await expect.poll(() => seen.ended, waiting).toBe(true);
});

test('a tail never contains the id of an event that the caller cannot see', async () => {
  const create = make(app.ask);
  await create.project('secret');
  await app.ask('PUT /api/admin/projects/secret/settings', { payload: { mode: 'private' } });
  await create.project('visible-to-all');
  const viewer = await person(app);
  const last = async () => {
    const { seen, stop } = await follow(viewer.token);
    await expect.poll(() => seen.text, waiting).toMatch(/^id: \d+$/m);
    stop();
    return /^id: (\d+)$/m.exec(seen.text)?.[1];
  };
  const before = await last();
  await create.feature('hidden-from-them', { project: 'secret' });
  expect(await last()).toBe(before);
  await create.feature('shown-to-them', { project: 'visible-to-all' });
  expect(Number(await last())).toBeGreaterThan(Number(before));
});

describe('hints about objects that everyone can read', () => {
  const hintsIn = (text: string) =>
    [...text.matchAll(/^event: hint\ndata: (.*)$/gm)].flatMap(
      ([, data]) => JSON.parse(data as string).types,
    );

  test('are sent on request and without the content of events', async () => {
    const viewer = await person(app);
    const [hinted, plain] = [await follow(viewer.token, '?hints=true'), await follow(viewer.token)];
    await make(app.ask).segment('hinted-segment');
    await app.ask('POST /api/admin/tag-types', { payload: { name: 'hinted-type' } });
    await expect
      .poll(() => new Set(hintsIn(hinted.seen.text)), waiting)
      .toEqual(new Set(['segment-created', 'tag-type-created']));
    await make(app.ask).feature('after-the-hints');
    await expect.poll(() => plain.seen.text, waiting).toContain('after-the-hints');
    expect(plain.seen.text).not.toContain('hint\n');
    expect(hinted.seen.text).not.toContain('hinted-');
    hinted.stop();
    plain.stop();
  });

  test('do not include integrations and private projects', async () => {
    const viewer = await person(app);
    const before = await follow(viewer.token);
    await make(app.ask).project('hinted-private', { mode: 'private' });
    // Until the server has noticed the change of access, it also ends streams that were opened later.
    await expect.poll(() => before.seen.ended, waiting).toBe(true);
    const { seen, stop } = await follow(viewer.token, '?hints=true');
    await make(app.ask).segment('hinted-private-segment', { project: 'hinted-private' });
    await app.ask('POST /api/admin/addons', {
      payload: {
        provider: 'webhook',
        enabled: false,
        parameters: { url: 'http://127.0.0.1:9/hinted' },
        events: [],
      },
    });
    await app.ask('POST /api/admin/context', { payload: { name: 'hinted-field' } });
    await expect.poll(() => hintsIn(seen.text), waiting).toContain('context-field-created');
    expect(new Set(hintsIn(seen.text))).toEqual(new Set(['context-field-created']));
    stop();
  });
});
