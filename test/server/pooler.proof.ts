import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { runCommand, startServer } from '../support/server-process.ts';

const isInstalled = spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' }).status === 0;

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

/** The server of the tests, in PgBouncer's format. */
function server(): { address: string; account: { uid?: number; gid?: number } } {
  const { connectionString, host = '', user } = inject('server');
  if (connectionString === undefined) {
    // PgBouncer does not run as root, and the socket is open only to its owner.
    const { uid, gid } = statSync(host);
    return {
      address: `host=${host} port=5432 user=${user}`,
      account: process.getuid?.() === 0 ? { uid, gid } : {},
    };
  }
  const { hostname, port, username, password } = new URL(connectionString);
  const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const address = `host=${hostname} port=${port || 5432} user=${username} password=${password}`;
  return { address, account };
}

/** Starts PgBouncer in front of the test server. Returns the URL of a database behind it. */
async function pooler(settings: readonly string[]): Promise<string> {
  const { name } = await testDatabase();
  const { address, account } = server();
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'burgee-pooler-'));
  chmodSync(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    [
      '[databases]',
      `* = ${address}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      ...settings,
    ].join('\n'),
    { mode: 0o644 },
  );
  const child = spawn('pgbouncer', ['-q', file], { ...account, stdio: 'ignore' });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  await expect.poll(() => answers(port)).toBe(true);
  return `postgres://burgee@127.0.0.1:${port}/${name}`;
}

describe.skipIf(!isInstalled)('behind PgBouncer (skipped where it is not installed)', () => {
  test('in transaction mode, a start fails with the reason', async () => {
    const DATABASE_URL = await pooler(['pool_mode = transaction']);
    for (const command of ['serve', 'migrate']) {
      const { code, output } = await runCommand([command], { DATABASE_URL, PORT: '0' });
      expect(code).toBe(1);
      expect(output).toContain('A pooler in transaction mode');
      expect(output).toContain('pool_mode=session');
      expect(output).not.toContain('    at ');
    }
  });

  test.each([[[]], [['ignore_startup_parameters = options']]])(
    'in session mode, it works with and without startup options: %j',
    async (more) => {
      const DATABASE_URL = await pooler(['pool_mode = session', 'default_pool_size = 60', ...more]);
      const one = await startServer({ DATABASE_URL });
      const other = await startServer({ DATABASE_URL });
      for (let number = 0; number < 5; number += 1) {
        const body = { id: `p${number}`, name: `P ${number}` };
        expect((await one.ask('POST /api/admin/projects', { body })).status).toBe(201);
        const found = await other.ask(`GET /api/admin/search/events?project=IS:p${number}`);
        expect(await found.json()).toMatchObject({ total: 1 });
      }
      expect(await Promise.all([one.end('SIGTERM'), other.end('SIGTERM')])).toEqual([0, 0]);
      expect(one.output()).not.toContain('"level":50');
    },
  );
});
