import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { dataDir } from '../support/data-dir.ts';
import { allEvents, postmasterOf } from '../support/killed-server.ts';
import { runCommand, type ServerProcess, startServer } from '../support/server-process.ts';

const sdkToken = '*:development.sdk';
const writers = 4;

/** Creates projects until stopped, and collects the ids of acknowledged ones. */
async function write(
  server: ServerProcess,
  writer: string,
  { acknowledged, refusals, signal }: Load,
): Promise<void> {
  for (let number = 0; !signal.aborted; number += 1) {
    const id = `${writer}-${number}`;
    const response = await server.ask('POST /api/admin/projects', { body: { id, name: id } });
    const text = await response.text();
    if (response.status === 201) acknowledged.add(id);
    else {
      refusals.add(`${response.status} ${JSON.parse(text).message}`);
      await delay(50);
    }
  }
}

/** Sends SDK requests and collects each kind of response, with its text if it contains no features. */
async function poll(server: ServerProcess, { responses, signal }: Load): Promise<void> {
  while (!signal.aborted) {
    const response = await server.ask('GET /api/client/features', { token: sdkToken });
    const text = await response.text();
    responses.add(response.status === 200 ? '200' : `${response.status} ${text}`);
    await delay(20);
  }
}

interface Load {
  readonly acknowledged: Set<string>;
  readonly refusals: Set<string>;
  readonly responses: Set<string>;
  readonly signal: AbortSignal;
}

function loadOn(server: ServerProcess) {
  const ending = new AbortController();
  const load = {
    acknowledged: new Set<string>(),
    refusals: new Set<string>(),
    responses: new Set<string>(),
    signal: ending.signal,
  };
  const working = [
    poll(server, load),
    ...Array.from({ length: writers }, (_, writer) => write(server, `w${writer}`, load)),
  ];
  return {
    ...load,
    async end() {
      ending.abort();
      await Promise.all(working);
    },
  };
}

const statusOf = async (server: ServerProcess, path: string) =>
  (await server.ask(`GET ${path}`)).status;

const patiently = { timeout: 120_000, interval: 20 };

/** Waits until more changes are acknowledged. */
async function goesOn(acknowledged: ReadonlySet<string>): Promise<void> {
  const before = acknowledged.size;
  await expect.poll(() => acknowledged.size, patiently).toBeGreaterThan(before + writers);
}

async function expectNothingLost(server: ServerProcess, acknowledged: ReadonlySet<string>) {
  const created = (await allEvents(server))
    .filter(({ type }) => type === 'project-created')
    .map(({ project }) => project);
  expect([...acknowledged].filter((id) => !created.includes(id))).toEqual([]);
  expect(new Set(created).size).toBe(created.length);
}

/** A webhook receiver. Returns its URL and what it received. */
async function receiver() {
  const delivered = new Set<string>();
  const http = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      delivered.add(JSON.parse(text).project);
      response.end();
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void http.close());
  await new Promise((ready) => http.once('listening', ready));
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`, delivered };
}

const settings = { INIT_CLIENT_API_TOKENS: sdkToken };

test('after each kill -9 of PostgreSQL, the server recovers, SDKs are still served, and no acknowledged change or delivery is lost', async () => {
  const DATA_DIR = dataDir();
  const server = await startServer({ DATA_DIR, ...settings });
  const { url, delivered } = await receiver();
  const made = await server.ask('POST /api/admin/addons', {
    body: {
      provider: 'webhook',
      enabled: true,
      events: ['project-created'],
      parameters: { url, bodyTemplate: '{"project": "{{event.project}}"}' },
    },
  });
  expect(made.status).toBe(201);
  const load = loadOn(server);
  await goesOn(load.acknowledged);
  for (let round = 0; round < 3; round += 1) {
    process.kill(postmasterOf(DATA_DIR), 'SIGKILL');
    expect(await statusOf(server, '/health')).toBe(200);
    await expect.poll(() => statusOf(server, '/ready?database=true'), patiently).toBe(503);
    expect(await statusOf(server, '/ready')).toBe(200);
    await expect.poll(() => statusOf(server, '/ready?database=true'), patiently).toBe(200);
    await goesOn(load.acknowledged);
  }
  await load.end();
  expect(load.responses).toEqual(new Set(['200']));
  await expectNothingLost(server, load.acknowledged);
  await expect
    .poll(() => [...load.acknowledged].filter((id) => !delivered.has(id)), patiently)
    .toEqual([]);
  expect(server.output()).toContain('PostgreSQL is running again');
  expect(await server.end('SIGTERM')).toBe(0);
  expect((await runCommand(['verify'], { DATA_DIR })).output).toMatch(/^\d+ events verified/);
});

const canMount =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['-m', 'true'], { stdio: 'ignore' }).status === 0;

function mountDisk(): string {
  const disk = mkdtempSync(join(tmpdir(), 'burgee-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=755', 'tmpfs', disk]);
  onTestFinished(() => {
    execFileSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  return disk;
}

function fill(file: string): void {
  for (let bytes = 1024 * 1024; bytes >= 1024; ) {
    try {
      appendFileSync(file, Buffer.alloc(bytes));
    } catch {
      bytes /= 2;
    }
  }
}

test.skipIf(!canMount)(
  'on a full disk, changes are rejected, SDKs are still served, and everything works again once there is space (skipped without the right to mount)',
  async () => {
    const disk = mountDisk();
    const DATA_DIR = join(disk, 'data');
    const server = await startServer({ DATA_DIR, ...settings });
    const load = loadOn(server);
    await goesOn(load.acknowledged);
    const filler = join(disk, 'filler');
    // PostgreSQL reuses some files, so the disk is filled repeatedly until a change fails.
    await expect
      .poll(() => {
        fill(filler);
        return load.refusals.size;
      }, patiently)
      .toBeGreaterThan(0);
    // If killed now, PostgreSQL cannot start for lack of space.
    fill(filler);
    process.kill(postmasterOf(DATA_DIR), 'SIGKILL');
    await expect
      .poll(server.output, patiently)
      .toContain('The disk is full. PostgreSQL will be restarted');
    expect(await statusOf(server, '/health')).toBe(200);
    expect(await statusOf(server, '/ready')).toBe(200);
    expect(await statusOf(server, '/ready?database=true')).toBe(503);
    rmSync(filler);
    await goesOn(load.acknowledged);
    await load.end();
    expect(load.responses).toEqual(new Set(['200']));
    await expectNothingLost(server, load.acknowledged);
    expect(load.refusals).toContain("503 Couldn't save: the database disk is full");
    expect([...load.refusals].filter((each) => !each.startsWith('503'))).toEqual([]);
    expect(await server.end('SIGTERM')).toBe(0);
  },
);
