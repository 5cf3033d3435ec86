import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataDir } from '../support/data-dir.ts';
import { startServer } from '../support/server-process.ts';

const settings = '/api/admin/auth/oidc/settings';

test('a secret that was stored beside the embedded database is read after a restart', async () => {
  const folder = dataDir();
  const first = await startServer({ DATA_DIR: folder });
  const stored = await first.ask(`POST ${settings}`, {
    body: {
      enabled: true,
      // Nobody listens there.
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
