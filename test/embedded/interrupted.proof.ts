import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostmaster } from '../../src/platform/db/embedded/postmaster.ts';
import { wholeDocument } from '../import/document.ts';
import { commandLine } from '../support/command-line.ts';

const root = mkdtempSync(join(tmpdir(), 'burgee-interrupted-'));
const used = join(root, 'used');
const file = join(root, 'document.json');

afterAll(() => rmSync(root, { recursive: true, force: true }));

const settingsOf = (dataDir: string) => ({
  ...{ DATA_DIR: dataDir, LOG_LEVEL: 'error', UNLEASH_TOKEN: '*:*.token' },
});

beforeAll(async () => {
  // PostgreSQL runs as another account if this one is root.
  chmodSync(root, 0o755);
  writeFileSync(file, JSON.stringify(wholeDocument()));
  expect(await commandLine(['import', file], settingsOf(used))).toMatchObject({ code: 0 });
});

function start(args: readonly string[], dataDir: string) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/cli/index.ts', ...args], {
    env: { PATH, HOME, ...settingsOf(dataDir) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return { child, said: text(child.stderr), exit: once(child, 'exit') };
}

const postmasterOf = (dataDir: string) => findPostmaster(join(dataDir, 'postgres'));

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('ends an import that waits for a server at once, together with its database', async () => {
    let requests = 0;
    // It accepts the request and never responds.
    const server = createServer(() => {
      requests += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const { child, said, exit } = start(['import', 'unleash', '--url', url, '--follow'], used);
      await expect.poll(() => requests, { timeout: 60_000 }).toBeGreaterThan(0);
      expect(postmasterOf(used)).toBeDefined();
      child.kill(signal);
      // Twice, as npm and a terminal do.
      child.kill(signal);
      expect(await exit).toEqual([1, null]);
      expect(await said).toContain(`Interrupted by ${signal}.`);
      expect(postmasterOf(used)).toBeUndefined();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test.each([
    ['import', file],
    ['export', join(root, 'out.json')],
    ['token', 'list'],
    ['migrate'],
    ['doctor'],
    ['backup', join(root, 'one.backup')],
  ])('leaves no database behind if sent as soon as the database of %s starts', async (...args) => {
    const { child, exit } = start(args, used);
    await expect
      .poll(() => existsSync(join(used, 'postgres/postmaster.pid')), {
        ...{ timeout: 60_000, interval: 5 },
      })
      .toBe(true);
    child.kill(signal);
    const [code] = await exit;
    // The command may have finished already.
    expect([0, 1]).toContain(code);
    await expect.poll(() => postmasterOf(used), { timeout: 60_000 }).toBeUndefined();
  });
});
