import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { dataDir } from '../support/data-dir.ts';
import { testDatabase } from '../support/database.ts';
import { urlOf } from '../support/database-url.ts';
import { startReceiver } from '../support/receiver.ts';
import { runCommand, startServer } from '../support/server-process.ts';

const settings = '/api/admin/auth/oidc/settings';

test('a secret stored in the embedded database can be read after a restart', async () => {
  const folder = dataDir();
  const first = await startServer({ DATA_DIR: folder });
  const stored = await first.ask(`POST ${settings}`, {
    body: {
      enabled: true,
      // Nothing listens there.
      discoverUrl: 'http://127.0.0.1:9',
      clientId: 'burgee',
      secret: 'canary-of-the-server',
    },
  });
  expect(stored.status).toBe(200);
  expect(statSync(join(folder, 'encryption.key')).mode & 0o777).toBe(0o600);
  await first.end('SIGTERM');

  const second = await startServer({ DATA_DIR: folder });
  const login = await fetch(`${second.url}/auth/oidc/login`, { redirect: 'manual' });
  expect([login.status, login.headers.get('location')]).toEqual([
    302,
    '/login?error=provider-unavailable',
  ]);
  await second.end('SIGTERM');

  const other = await startServer({
    DATA_DIR: folder,
    ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  });
  const still = await fetch(`${other.url}/auth/oidc/login`, { redirect: 'manual' });
  expect(still.headers.get('location')).toBe('/login?error=provider-unavailable');
  expect(other.output()).not.toContain('canary');
  await other.end('SIGTERM');
});

test('a key is rotated: after reseal with both keys, the new key alone is enough', async () => {
  const folder = dataDir();
  const receiver = await startReceiver();
  const old = Buffer.alloc(32, 1).toString('base64');
  const fresh = Buffer.alloc(32, 2).toString('hex');
  const first = await startServer({ DATA_DIR: folder, ENCRYPTION_KEY: old });
  const made = await first.ask('POST /api/admin/addons', {
    body: {
      provider: 'webhook',
      enabled: true,
      events: ['project-created'],
      parameters: { url: receiver.url, authorization: 'Bearer kept-through-it-all' },
    },
  });
  expect(made.status).toBe(201);
  const token = await first.ask('POST /api/admin/api-tokens', {
    body: { tokenName: 'kept', type: 'client', environment: 'development' },
  });
  const { secret } = (await token.json()) as { secret: string };
  await first.end('SIGTERM');

  const lost = await runCommand(['key', 'reseal'], { DATA_DIR: folder, ENCRYPTION_KEY: fresh });
  expect(lost).toMatchObject({
    code: 1,
    output: expect.stringContaining('does not contain a key'),
  });
  const done = await runCommand(['key', 'reseal'], {
    DATA_DIR: folder,
    ENCRYPTION_KEY: `${fresh},${old}`,
  });
  expect(done).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Re-encrypted 2 stored secrets/),
  });

  const second = await startServer({ DATA_DIR: folder, ENCRYPTION_KEY: fresh });
  const listed = await second.ask('GET /api/admin/api-tokens/kept');
  expect(await listed.json()).toMatchObject({ tokens: [{ secret }] });
  await second.ask('POST /api/admin/projects', { body: { id: 'after', name: 'after' } });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), 60_000);
  expect(receiver.received[0]?.headers.authorization).toBe('Bearer kept-through-it-all');
  await second.end('SIGTERM');
});

test('a key that cannot decrypt stored secrets is rejected by the server and by commands', async () => {
  const DATABASE_URL = urlOf((await testDatabase()).connection);
  const [own, other] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [
    string,
    string,
  ];
  const create = ['token', 'create', '--name', 'ci'];
  const first = await startServer({ DATABASE_URL, ENCRYPTION_KEY: own });
  for (const args of [['serve'], create]) {
    const refused = await runCommand(args, { DATABASE_URL, ENCRYPTION_KEY: other, PORT: '0' });
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(
      /ENCRYPTION_KEY does not contain a key \([0-9a-f]{8}\) that encrypts secrets/,
    );
    expect(refused.output).not.toContain(other);
  }
  const without = await runCommand(['serve'], { DATABASE_URL, PORT: '0' });
  expect([without.code, without.output]).toEqual([
    1,
    expect.stringContaining('ENCRYPTION_KEY is not set, so a key is missing'),
  ]);
  // This command stores no secret, so it needs no key.
  expect((await runCommand(create, { DATABASE_URL })).code).toBe(0);

  // During a rotation, every instance needs both keys.
  const both = await startServer({ DATABASE_URL, ENCRYPTION_KEY: `${other},${own}` });
  const behind = await runCommand(['serve'], { DATABASE_URL, ENCRYPTION_KEY: own, PORT: '0' });
  expect([behind.code, behind.output]).toEqual([
    1,
    expect.stringContaining('does not contain a key'),
  ]);
  await Promise.all([first.end('SIGTERM'), both.end('SIGTERM')]);

  // The operator can give up a lost key and continue with another.
  const reseal = ['key', 'reseal'];
  const settings = { DATABASE_URL, ENCRYPTION_KEY: other };
  expect((await runCommand(reseal, settings)).code).toBe(1);
  expect((await runCommand(['serve'], { ...settings, PORT: '0' })).code).toBe(1);
  expect((await runCommand([...reseal, '--give-up-lost'], settings)).code).toBe(0);
  const last = await startServer(settings);
  expect(await last.end('SIGTERM')).toBe(0);
});

test('without a key, an external database is served with a warning about what cannot be stored', async () => {
  const DATABASE_URL = urlOf((await testDatabase()).connection);
  const server = await startServer({ DATABASE_URL });
  await expect.poll(server.output).toContain('ENCRYPTION_KEY is not set: secrets of integrations');
  expect(await server.end('SIGTERM')).toBe(0);
});
