import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { migrations } from '../../src/migrations/index.ts';
import { version } from '../../src/platform/version.ts';
import { dataDir } from '../support/data-dir.ts';
import { runCommand, startServer } from '../support/server-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The JSON lines of a log, without messages for people. */
const entriesOf = (output: string) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('a start logs version, database and migrations, and a stop logs its beginning and end', async () => {
  const DATA_DIR = dataDir();
  const first = await startServer({ DATA_DIR, LOG_LEVEL: 'info' });
  for (let times = 0; times < 20; times += 1) await first.ask('GET /api/admin/projects');
  expect(await first.end('SIGTERM')).toBe(0);
  const entries = entriesOf(first.output());
  const messages = entries.map(({ msg }) => msg);
  expect(entries.find(({ msg }) => msg === 'starting')).toMatchObject({
    version,
    node: process.version,
    database: expect.stringContaining('the embedded database in '),
  });
  expect(entries.find(({ msg }) => msg === 'database schema migrated')).toMatchObject({
    migrations: Object.keys(migrations).length,
    last: Object.keys(migrations).at(-1),
  });
  expect(messages.slice(-2)).toEqual(['stopping: waiting for open requests', 'stopped']);
  // Nothing that looks like an outage.
  expect(entries.filter(({ level }) => Number(level) > 30)).toEqual([]);

  const second = await startServer({ DATA_DIR, LOG_LEVEL: 'info' });
  expect(second.output()).not.toContain('database schema migrated');
  expect(await second.end('SIGTERM')).toBe(0);
});

test('standard output contains only lines of JSON; messages for people are on standard error', async () => {
  const child = spawn(process.execPath, ['bin/burgee.js', 'serve'], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir(), PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const texts = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text;
  });
  // With PORT=0, the URL contains the port that was found.
  await expect.poll(() => texts.err).toMatch(/Burgee is running at http:\/\/localhost:[1-9]\d+\n/);
  const [, url] = /Burgee is running at (\S+)/.exec(texts.err) ?? [];
  const [, token = ''] = /Admin token \(shown only once\): (\S+)/.exec(texts.err) ?? [];
  const headers = { authorization: token };
  expect((await fetch(`${url}/api/admin/projects`, { headers })).status).toBe(200);
  child.kill('SIGTERM');
  await once(child, 'close');
  const lines = texts.out.trim().split('\n');
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  expect(texts.out).not.toContain(token);
});

test('a client that never finishes its request does not prevent a stop with code 0', async () => {
  const server = await startServer({ DATA_DIR: dataDir() });
  const { port } = new URL(server.url);
  const socket = connect(Number(port), 'localhost');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = [
    'POST /api/admin/projects HTTP/1.1',
    'Host: localhost',
    'Authorization: *:*.process-test',
    'Content-Type: application/json',
    'Content-Length: 1000',
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  // It waits for the body.
  await once(socket, 'data');
  expect(await server.end('SIGTERM'), server.output()).toBe(0);
});

test('SIGTERM during a start stops it and leaves no PostgreSQL behind', async () => {
  const DATA_DIR = dataDir();
  const child = spawn(process.execPath, ['bin/burgee.js', 'serve'], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', DATA_DIR, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdout.resume();
  await expect.poll(() => existsSync(join(DATA_DIR, 'postgres'))).toBe(true);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect([code, existsSync(join(DATA_DIR, 'postgres', 'postmaster.pid'))]).toEqual([0, false]);
});

test('SIGTERM to npm start stops the server', async () => {
  const { PATH = '', HOME = '' } = process.env;
  const DATA_DIR = dataDir();
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: { PATH, HOME, DATA_DIR, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  onTestFinished(() => {
    try {
      process.kill(-(npm.pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended, as expected.
    }
  });
  let text = '';
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  await expect.poll(() => text).toContain('Burgee is running at');
  npm.kill('SIGTERM');
  // The streams close when the last process that holds them has ended.
  await once(npm, 'close');
  expect(text).toContain('"stopped"');
  const again = await startServer({ DATA_DIR });
  expect(await again.end('SIGTERM')).toBe(0);
});

test('with a path in BASE_URL, the server responds with and without the path', async () => {
  const server = await startServer({ DATA_DIR: dataDir(), BASE_URL: 'http://localhost/flags' });
  for (const path of ['/flags/health', '/health', '/flags/api/admin/projects?x=1']) {
    expect([path, (await server.ask(`GET ${path}`)).status]).toEqual([path, 200]);
  }
  const { status, headers } = await fetch(`${server.url}/flags/docs`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([302, '/flags/docs/openapi']);
  for (const path of ['/', '/flags', '/flags/', '/flags/projects/default']) {
    expect([path, (await fetch(`${server.url}${path}`)).status]).toEqual([path, 200]);
  }
  expect((await server.ask('GET /flagship/health')).status).toBe(404);
});

test.each([
  [{ HOST: 'nope.invalid' }, /^Couldn't resolve HOST=nope\.invalid /m],
  [{ HOST: '192.0.2.1' }, /^HOST=192\.0\.2\.1 isn't an address of this machine/m],
  [{ HOST: '192.0.2.1', PORT: '0' }, /^HOST=192\.0\.2\.1 isn't an address of this machine/m],
  [{ DATA_DIR: '/proc' }, /^(The data folder|Burgee cannot write to its data folder) \/proc/m],
  [{ DATABASE_URL: '' }, /^DATABASE_URL is empty/m],
])('%j causes a clear message without a stack trace', async (settings, words) => {
  const folder = { DATA_DIR: dataDir() };
  const { code, output } = await runCommand(['serve'], { PORT: '4999', ...folder, ...settings });
  expect([code, output]).toEqual([1, expect.stringMatching(words)]);
  expect(output).not.toContain('    at ');
});

test('an unknown variable and a short admin token cause warnings at the start', async () => {
  const server = await startServer({
    DATA_DIR: dataDir(),
    DATABSE_URL: 'postgres://me:hunter2@db/flags',
    INIT_ADMIN_API_TOKENS: 'abc',
    INIT_CLIENT_API_TOKENS: '*:nope.hunter2-secret,nope:development.hunter2-secret',
  });
  // The last message of a start.
  await expect.poll(server.output).toContain('token 2 was not created');
  const output = server.output();
  expect(output).toContain('DATABSE_URL is set but not used. Did you mean DATABASE_URL?');
  expect(output).toContain('INIT_ADMIN_API_TOKENS: token 1 has only 3 characters');
  expect(output).toContain(
    "INIT_CLIENT_API_TOKENS: token 1 was not created: environment 'nope' not found",
  );
  expect(output).toContain(
    "INIT_CLIENT_API_TOKENS: token 2 was not created: project 'nope' not found",
  );
  expect(output).not.toContain('hunter2');
});
