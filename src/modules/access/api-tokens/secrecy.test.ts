import { beforeAll, expect, test } from 'vitest';
import { appOn, type TestApp } from '../../../../test/support/app.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { customRole, person } from '../../../../test/support/people.ts';
import { createLogger } from '../../../platform/log.ts';

/** Everything that the server logs at its most verbose level. */
const lines: string[] = [];
let app: TestApp;
beforeAll(async () => {
  app = await appOn(await testDatabase(), {
    log: createLogger('trace', { write: (line: string) => void lines.push(line) }),
  });
});

const tokens = '/api/admin/api-tokens';
const own = '/api/admin/user/tokens';

test('after creation, a secret appears in no list for readers, event, error, log line or table', async () => {
  const somebody = await person(app, { rootRole: 1 });
  const reader = await person(app, {
    rootRole: await customRole(app, 'root-custom', [{ name: 'READ_CLIENT_API_TOKEN' }]),
    roles: { default: 5 },
  });
  const client = await app.ask(`POST ${tokens}`, {
    payload: { tokenName: 'canary', type: 'client', project: 'default' },
  });
  const personal = await somebody.ask(`POST ${own}`, {
    payload: { description: 'canary', expiresAt: null },
  });
  const secrets: string[] = [client.json().secret, personal.json().secret];
  const used = secrets.map((secret) => encodeURIComponent(secret));
  const answers = [
    await reader.ask(`GET ${tokens}`),
    await reader.ask(`GET ${tokens}/canary`),
    await reader.ask('GET /api/admin/projects/default/api-tokens'),
    await somebody.ask(`GET ${own}`),
    await app.ask(`PUT ${tokens}/${used[0]}`, { payload: { expiresAt: 'never' } }),
    await app.ask(`PUT ${tokens}/${used[0]}`, { payload: { expiresAt: '2036-01-01T00:00:00Z' } }),
    await app.ask(`DELETE /api/admin/projects/default/api-tokens/${used[1]}`),
    await app.ask(`DELETE ${tokens}/${used[0]}`),
    await app.ask(`DELETE ${tokens}/${used[0]}`),
    await app.ask(`DELETE ${tokens}/${used[1]}`),
    await somebody.ask(`DELETE ${own}/${personal.json().id}`),
    await app.ask('GET /api/admin/search/events?limit=1000'),
    await app.ask('GET /api/admin/search/events?query=canary'),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([
    200, 200, 200, 200, 400, 200, 404, 200, 404, 404, 200, 200, 200,
  ]);
  const stored = [
    await app.db.selectFrom('api_tokens').selectAll().execute(),
    await app.db.selectFrom('personal_tokens').selectAll().execute(),
    await app.db.selectFrom('events').selectAll().execute(),
    await app.db.selectFrom('event_texts').selectAll().execute(),
  ];
  const output = [...answers.map(({ body }) => body), JSON.stringify(stored), ...lines].join('\n');
  expect(output).toContain('canary');
  expect(lines.length).toBeGreaterThan(answers.length);
  for (const secret of secrets) {
    const hidden = secret.split(/[.:]/).at(-1) as string;
    expect(hidden).toMatch(/^[0-9a-f]{56}$/);
    expect(output).not.toContain(hidden);
  }
});

test('a token revoked on one instance is rejected by the others as soon as they are notified', async () => {
  // Its clock stands still, so that nothing that it caches expires by itself.
  const now = new Date();
  const other = await appOn(app, { clock: () => now });
  const somebody = await person(app);
  const payload = { tokenName: 'shared', type: 'admin' };
  const admin = (await app.ask(`POST ${tokens}`, { payload })).json();
  const personal = (
    await somebody.ask(`POST ${own}`, { payload: { description: 'shared', expiresAt: null } })
  ).json();
  const status = async (authorization: string) =>
    (await other.ask('GET /api/admin/projects', { headers: { authorization } })).statusCode;
  for (const [{ secret }, revoke] of [
    [admin, () => app.ask(`DELETE ${tokens}/${admin.id}`)],
    [personal, () => somebody.ask(`DELETE ${own}/${personal.id}`)],
  ] as const) {
    // The other instance caches it from here on.
    expect(await status(secret)).toBe(200);
    expect((await revoke()).statusCode).toBe(200);
    await expect.poll(() => status(secret)).toBe(401);
  }
});
