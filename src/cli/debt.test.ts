import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type TestApp, testApp } from '../../test/support/app.ts';
import { commandLine } from '../../test/support/command-line.ts';
import { make } from '../../test/support/make.ts';
import { adminToken, clientToken } from '../../test/support/tokens.ts';

const now = new Date('2031-05-01T12:00:00.000Z');
const folder = mkdtempSync(join(tmpdir(), 'burgee-debt-'));
afterAll(() => rmSync(folder, { recursive: true }));

let app: TestApp;
let url: string;
beforeAll(async () => {
  app = await testApp({ clock: () => now });
  url = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const create = make(app.ask);
  await create.project("shop'!");
  const project = "shop'!";
  const createdAt = '2031-03-01T12:00:00.000Z';
  await create.feature('banner', { project, type: 'release', createdAt });
  await create.feature('old-cart', { project, type: 'kill-switch', createdAt });
  await app.ask(`POST /api/admin/projects/${project}/stale`, {
    payload: { features: ['old-cart'], stale: true },
  });
  for (const name of ['fresh-a', 'fresh-b']) await create.feature(name, { project });
  await create.project('clean');
  await create.project('strict', { budget: { minHealth: 100 } });
  await create.feature('strict-due', { project: 'strict', createdAt });
});

/** Starts another server until the test ends. */
async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const debt = (args: readonly string[], settings: Record<string, string> = {}) =>
  commandLine(['debt', ...args], { BURGEE_URL: url, BURGEE_TOKEN: adminToken, ...settings });

const shop = ['--project', "shop'!"];

describe('burgee debt', () => {
  test('lists stale and potentially stale features with reasons in a readable table', async () => {
    const { code, output } = await debt(shop);
    expect(code).toBe(0);
    const [head, limits, empty, columns, ...rows] = output.split('\n');
    expect(head).toBe("Project shop'!: health 50%, 4 features, 1 stale, 1 potentially stale");
    expect([limits, empty]).toEqual(['No limits', '']);
    expect(columns).toBe('FEATURE   STATE              SINCE       WHY');
    expect(rows[0]).toMatch(/^banner {4}potentially stale {2}2031-04-10 {2}Created 2031-03-01; /);
    expect(rows.find((row) => row.startsWith('old-cart'))).toMatch(
      /^old-cart {2}stale {14}2031-05-01 {2}Marked as stale by admin on 2031-05-01$/,
    );
    expect(output).not.toContain('fresh');
  });

  test('exits with 1 and names the limit if one is exceeded', async () => {
    expect((await debt([...shop, '--max-stale', '2', '--min-health', '50'])).code).toBe(0);
    const { code, output } = await debt([...shop, '--max-stale', '1', '--min-health', '51']);
    expect(code).toBe(1);
    expect(output.split('2 stale or potentially stale features (max 1)')).toHaveLength(2);
    expect(output.split('health 50% (min 51%)')).toHaveLength(2);
    expect(output).toContain('Limits (command line): max 1 stale');
  });

  test('exits with the same code if its output is not read completely', async () => {
    const command = join(import.meta.dirname, '../../bin/burgee.js');
    const ends = async (...limits: string[]) => {
      const child = spawn(process.execPath, [command, 'debt', ...shop, ...limits], {
        env: { PATH: process.env.PATH, BURGEE_URL: url, BURGEE_TOKEN: adminToken },
      });
      child.stdout.destroy();
      child.stderr.destroy();
      return ((await once(child, 'close')) as [number])[0];
    };
    expect([await ends(), await ends('--max-stale', '1')]).toEqual([0, 1]);
  });

  test('uses the budget of the project by default', async () => {
    const own = await debt(['--project', 'strict']);
    expect(own.code).toBe(1);
    expect(own.output).toContain('Limits (project): min health 100%');
    expect((await debt(['--project', 'strict', '--max-stale', '1'])).code).toBe(0);
    expect((await debt(['--project', 'clean'])).code).toBe(0);
  });

  test('prints everything as JSON', async () => {
    const file = join(folder, 'debt.json');
    const args = [...shop, '--format', 'json', '--output', file, '--max-stale', '0'];
    const { code, output } = await debt(args);
    expect([code, output]).toEqual([
      1,
      "Project shop'!: 2 stale or potentially stale features (max 0)\n",
    ]);
    const report = JSON.parse(readFileSync(file, 'utf8'));
    expect(report).toMatchObject({
      project: "shop'!",
      limits: { maxStale: 0, minHealth: null, from: 'command line' },
      current: { total: 4, stale: 1, potentiallyStale: 1, health: 50 },
      withinBudget: false,
      exceeded: [{ what: 'maxStale', limit: 0, actual: 2 }],
      features: [
        {
          feature: 'banner',
          state: 'potentiallyStale',
          type: 'release',
          createdAt: '2031-03-01T12:00:00.000Z',
          since: '2031-04-10T12:00:00.000Z',
        },
        { feature: 'old-cart', state: 'stale', since: '2031-05-01T12:00:00.000Z' },
      ],
    });
    expect(report.features[0].reasons[0]).toEqual({
      reason: 'lifetimeOver',
      since: '2031-04-10T12:00:00.000Z',
      detail: expect.any(String),
    });
  });

  test('writes a JUnit report with one test case for each limit and feature', async () => {
    const within = (await debt([...shop, '--format', 'junit', '--max-stale', '2'])).output;
    expect(within).toContain('<testsuites name="burgee debt" tests="3" failures="0" errors="0">');
    expect(within).toContain(
      '<testcase name="maxStale 2" classname="burgee debt shop&#39;! limits"/>',
    );
    expect(within).toContain('<testcase name="banner" classname="burgee debt shop&#39;!"/>');
    const file = join(folder, 'debt.xml');
    await debt([...shop, '--format', 'junit', '--max-stale', '1', '--output', file]);
    const beyond = readFileSync(file, 'utf8');
    expect(beyond).toContain('tests="3" failures="3"');
    expect(beyond).toContain('<failure message="old-cart is stale">Marked as stale by admin');
  });

  test('does not count snoozed features', async () => {
    await make(app.ask).feature('kept', { project: 'clean', createdAt: '2030-01-01T00:00:00Z' });
    expect((await debt(['--project', 'clean', '--max-stale', '0'])).code).toBe(1);
    await app.ask('PUT /api/admin/projects/clean/features/kept/review', {
      payload: { permanent: true, reason: 'It stays' },
    });
    const { code, output } = await debt(['--project', 'clean', '--max-stale', '0']);
    expect(code).toBe(0);
    expect(output).not.toContain('kept');
  });

  test('accepts a URL with a path, and takes URL and token from options', async () => {
    const proxy = await listening((request, response) => {
      const path = request.url?.replace(/^\/flags\//, '/') ?? '';
      const headers = { authorization: request.headers.authorization ?? '' };
      fetch(`${url}${path}`, { headers })
        .then(async (answer) => response.writeHead(answer.status).end(await answer.text()))
        .catch(() => response.destroy());
    });
    const settings = { BURGEE_URL: 'http://127.0.0.1:1', BURGEE_TOKEN: 'wrong' };
    const options = ['--url', `${proxy}/flags`, '--token', adminToken];
    expect((await debt([...shop, ...options], settings)).code).toBe(0);
  });
});

describe('burgee debt exits with 2 and an error without the token', () => {
  test.each([
    [[], {}, 'Missing required option: --project'],
    [[...shop, '--max-stale', '-1'], {}, '--max-stale must be a whole number'],
    [[...shop, '--max-stale', '1.5'], {}, '--max-stale must be a whole number'],
    [[...shop, '--min-health', '101'], {}, 'from 0 to 100'],
    [[...shop, '--format', 'toString'], {}, '--format must be one of table, json, junit'],
    [[...shop, '--max-stal', '1'], {}, "Unknown option '--max-stal'"],
    [[...shop, adminToken], {}, 'expects no arguments except options'],
    [[...shop, '--output', '/absent/file'], {}, "Couldn't write /absent/file (ENOENT)"],
    [['--project', 'absent'], {}, "'absent'"],
    [shop, { BURGEE_TOKEN: '' }, 'No token.'],
    [shop, { BURGEE_TOKEN: 'two words' }, 'invalid characters'],
    [shop, { BURGEE_TOKEN: '*:*.unknown-secret' }, 'the token is not valid (401)'],
    [shop, { BURGEE_TOKEN: clientToken }, '(403)'],
    [shop, { BURGEE_URL: 'http://127.0.0.1:1' }, 'http://127.0.0.1:1/ failed: '],
    [shop, { BURGEE_URL: 'ftp://x' }, 'must be an http:// or https:// URL'],
    [shop, { BURGEE_URL: 'http://me:test-admin@x' }, 'without a username and password'],
  ])('for %j %j', async (args, settings, words) => {
    const { code, output } = await debt(args, settings);
    expect([code, output]).toEqual([2, expect.stringContaining(words)]);
    expect(output).not.toMatch(/test-admin|test-client|unknown-secret|two words/);
  });

  test.each([
    ['{}', '{}'],
    ['null', 'null'],
    ['a budget without numbers', '{"budget":{},"current":{}}'],
  ])('if the server responds with %s', async (_what, body) => {
    const address = await listening((_request, response) => void response.end(body));
    const { code, output } = await debt(shop, { BURGEE_URL: address });
    expect([code, output]).toEqual([2, expect.stringMatching(/is not from a Burgee server\n$/)]);
  });

  test('if the server responds with invalid features', async () => {
    const address = await listening((request, response) => {
      const limits = { maxStale: null, minHealth: null };
      const current = { total: 1, stale: 0, potentiallyStale: 0, health: 100 };
      const findings = { total: 1, features: [{ feature: 'a' }] };
      const isBudget = request.url?.endsWith('/budget');
      response.end(JSON.stringify(isBudget ? { budget: limits, current } : findings));
    });
    const { code, output } = await debt(shop, { BURGEE_URL: address });
    expect([code, output]).toEqual([2, expect.stringContaining('is not from a Burgee server')]);
  });

  test("with the server's message, in which control characters are escaped", async () => {
    const address = await listening((_request, response) => {
      response.writeHead(404).end(JSON.stringify({ message: 'no\u001b[2J\u202e\nproject' }));
    });
    const { code, output } = await debt(shop, { BURGEE_URL: address });
    expect([code, output]).toEqual([
      2,
      expect.stringContaining('no\\u{1b}[2J\\u{202e}\\nproject (404)\n'),
    ]);
  });

  test('if the server is not Burgee', async () => {
    const address = await listening((request, response) => {
      if (request.url?.startsWith('/moved/')) {
        response.writeHead(302, { location: 'http://elsewhere.example/' }).end();
      } else response.end('<html>');
    });
    const asked = await debt(shop, { BURGEE_URL: address });
    expect([asked.code, asked.output]).toEqual([2, expect.stringContaining('is not JSON')]);
    const moved = await debt(shop, { BURGEE_URL: `${address}/moved` });
    expect([moved.code, moved.output]).toEqual([2, expect.stringContaining('it redirects')]);
  });
});
