import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostmaster } from '../../src/platform/db/embedded/postmaster.ts';
import { commandLine } from '../support/command-line.ts';
import { asRoot } from './grounds.ts';

/** Mounting a small disk needs root. */
describe.skipIf(!asRoot || process.platform !== 'linux')('a full disk', () => {
  const root = mkdtempSync(join(tmpdir(), 'burgee-full-'));
  const disk = join(root, 'disk');
  const dataDir = join(disk, 'data');
  const file = join(root, 'demo.backup');
  const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'error', PORT: '0' };

  beforeAll(async () => {
    chmodSync(root, 0o755);
    mkdirSync(disk);
    const source = { DATA_DIR: join(root, 'demo'), LOG_LEVEL: 'error' };
    expect(await commandLine(['demo'], source)).toMatchObject({ code: 0 });
    expect(await commandLine(['backup', file], source)).toMatchObject({ code: 0 });
    // Enough for an empty database, but not for the second file of its write-ahead log.
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=60m', 'tmpfs', disk]);
  });
  afterAll(() => {
    execFileSync('umount', [disk]);
    rmSync(root, { recursive: true, force: true });
  });

  test('ends a restore with the reason and stops its database', async () => {
    const { code, output } = await commandLine(['restore', file, '--without-key'], settings);
    expect(code).toBe(1);
    expect(output).toContain('disk');
    expect(output).toContain('is full');
    expect(findPostmaster(join(dataDir, 'postgres'))).toBeUndefined();
  });

  test('is reported by serve and doctor, and neither leaves a database running', async () => {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/cli/index.ts', 'serve'], {
      ...{ env: { PATH, HOME, ...settings }, stdio: ['ignore', 'ignore', 'pipe'] },
    });
    const said = text(child.stderr as NonNullable<typeof child.stderr>);
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(await said).toContain(`The disk with ${dataDir} is full`);
    const { stdout } = await commandLine(['doctor'], settings);
    expect(stdout).toContain(`The disk with ${dataDir} is full`);
    expect(findPostmaster(join(dataDir, 'postgres'))).toBeUndefined();
  });
});
