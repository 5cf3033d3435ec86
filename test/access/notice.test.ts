import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../support/app.ts';
import { person } from '../support/people.ts';

/** A fixed time: caches never expire, so that only a notification can invalidate them. */
const frozen = () => new Date('2026-03-01T12:00:00Z');

let here: TestApp;
let there: TestApp;
beforeAll(async () => {
  here = await testApp({ clock: frozen });
  there = await appOn(here, { clock: frozen });
});

const status = async (app: TestApp, token: string, path = '/api/admin/projects') =>
  (await app.ask(`GET ${path}`, { headers: { authorization: token } })).statusCode;

describe('a change on one instance', () => {
  test('does not reach other instances without a notification while the clock stands still', async () => {
    const viewer = await person(here);
    expect(await status(there, viewer.token)).toBe(200);
    await here.db.deleteFrom('personal_tokens').where('user_id', '=', viewer.id).execute();
    expect(await status(there, viewer.token)).toBe(200);
  });

  test('that revokes an API token takes effect on others', async () => {
    const { secret, id } = (
      await here.ask('POST /api/admin/api-tokens', {
        payload: { tokenName: 'both', type: 'admin' },
      })
    ).json();
    expect(await status(there, secret)).toBe(200);
    await here.ask(`DELETE /api/admin/api-tokens/${id}`);
    expect(await status(here, secret)).toBe(401);
    await expect.poll(() => status(there, secret)).toBe(401);
  });

  test('that removes a role or makes a project private takes effect on others', async () => {
    await here.ask('POST /api/admin/projects', { payload: { id: 'shared', name: 'Shared' } });
    const viewer = await person(here, { roles: { shared: 5 } });
    const path = '/api/admin/projects/shared/overview';
    const outsider = await person(here);
    await expect.poll(() => status(there, outsider.token, path)).toBe(200);
    await here.ask('PUT /api/admin/projects/shared/settings', { payload: { mode: 'private' } });
    await expect.poll(() => status(there, outsider.token, path)).toBe(404);
    await expect.poll(() => status(there, viewer.token, path)).toBe(200);
    await here.ask(`DELETE /api/admin/projects/shared/users/${viewer.id}/roles`);
    expect(await status(here, viewer.token, path)).toBe(404);
    await expect.poll(() => status(there, viewer.token, path)).toBe(404);
  });

  test('that archives, revives or deletes a project takes effect on others', async () => {
    await here.ask('POST /api/admin/projects', { payload: { id: 'leaving', name: 'Leaving' } });
    const change = async () => {
      const payload = { name: 'Leaving', description: `${Math.random()}` };
      return (await there.ask('PUT /api/admin/projects/leaving', { payload })).statusCode;
    };
    const read = async () =>
      (await there.ask('GET /api/admin/projects/leaving/overview')).statusCode;
    await expect.poll(change).toBe(200);
    await here.ask('POST /api/admin/projects/archive/leaving');
    await expect.poll(change).toBe(404);
    await here.ask('POST /api/admin/projects/revive/leaving');
    await expect.poll(change).toBe(200);
    const before = await read();
    await here.ask('DELETE /api/admin/projects/leaving');
    await expect.poll(read).toBe(404);
    expect(before).not.toBe(404);
  });

  test('that ends a session takes effect on others', async () => {
    const login = await here.ask('POST /auth/simple/login', {
      payload: { username: 'admin', password: 'correct-horse-42-battery' },
      headers: { authorization: '' },
    });
    const cookie = `${login.cookies[0]?.name}=${login.cookies[0]?.value}`;
    const asked = async (app: TestApp) =>
      (await app.app.inject({ url: '/api/admin/user', headers: { cookie } })).statusCode;
    expect(await asked(there)).toBe(200);
    await here.app.inject({ method: 'POST', url: '/logout', headers: { cookie } });
    expect(await asked(here)).toBe(401);
    await expect.poll(() => asked(there)).toBe(401);
  });

  test('of maintenance mode takes effect on others', async () => {
    const write = async () =>
      (await there.ask('POST /api/admin/tag-types', { payload: { name: 'Not A Name' } }))
        .statusCode;
    expect(await write()).toBe(400);
    await here.ask('POST /api/admin/maintenance', { payload: { enabled: true } });
    await expect.poll(write).toBe(503);
    await here.ask('POST /api/admin/maintenance', { payload: { enabled: false } });
    await expect.poll(write).toBe(400);
  });
});
