import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transactOn } from '../../src/app/transact.ts';
import { commandLine } from '../support/command-line.ts';
import { dataDir } from '../support/data-dir.ts';
import { testDatabase } from '../support/database.ts';
import { urlOf } from '../support/database-url.ts';
import { fill, headOf } from '../support/proof-log.ts';
import { startServer } from '../support/server-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'burgee-kill-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, 'flags.backup');
let url: string;
let lastId: number;

/** Starts a command and kills it after some time, unless it has finished. */
async function killed(args: readonly string[], DATABASE_URL: string, afterMs: number) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['bin/burgee.js', ...args], {
    env: { PATH, HOME, DATABASE_URL },
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  await Promise.race([sleep(afterMs), exit]);
  child.kill('SIGKILL');
  const [code] = await exit;
  return code === 0 ? 'done' : 'killed';
}

beforeAll(async () => {
  const { connection, db } = await testDatabase();
  await fill(transactOn(db), 4000);
  url = urlOf(connection);
  lastId = (await headOf(db)).id;
});

test('a backup killed at any time leaves the older file or the complete new one', async () => {
  expect(await commandLine(['backup', file], { DATABASE_URL: url })).toMatchObject({ code: 0 });
  const outcomes = new Set<string>();
  for (let afterMs = 200; outcomes.size < 2 || afterMs < 1500; afterMs += 150) {
    outcomes.add(await killed(['backup', file], url, afterMs));
    expect(await commandLine(['backup', 'check', file])).toMatchObject({ code: 0 });
  }
  const rest = readdirSync(folder).filter((name) => name !== 'flags.backup');
  for (const name of rest) expect(name).toMatch(/^\.flags\.backup\.unfinished-/);
});

test('a restore killed at any time leaves either the old data or the new data', async () => {
  const { connection, db } = await testDatabase();
  await fill(transactOn(db), 10);
  const old = (await headOf(db)).id;
  await db.destroy();
  const target = urlOf(connection);
  const settings = { DATABASE_URL: target };
  const outcomes = new Set<string>();
  for (let afterMs = 300; !outcomes.has('done'); afterMs += 200) {
    // The backend of the previous command needs a moment to notice.
    await expect
      .poll(async () => (await commandLine(['restore', file], settings)).stderr)
      .toMatch(/isn't empty/);
    const outcome = await killed(['restore', file, '--replace'], target, afterMs);
    outcomes.add(outcome);
    await expect
      .poll(async () => (await commandLine(['verify'], settings)).stdout)
      .toMatch(new RegExp(`^(${outcome === 'done' ? '' : `${old}|`}${lastId}) events verified`));
  }
  expect(outcomes).toEqual(new Set(['killed', 'done']));
});

test('a backup of a server under load is consistent, and its restored log verifies', async () => {
  const settings = { DATA_DIR: dataDir(), LOG_LEVEL: 'error' };
  const server = await startServer(settings);
  const create = (name: string) =>
    server.ask('POST /api/admin/projects/default/features', { body: { name } });
  expect((await create('first')).status).toBe(201);
  let isOver = false;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    let made = 0;
    for (; !isOver; made += 1) {
      expect((await create(`flag-${writer}-${made}`)).status).toBe(201);
    }
    return made;
  });
  for (let round = 0; round < 5; round += 1) {
    const copy = join(folder, `round-${round}.backup`);
    expect(await commandLine(['backup', copy], settings)).toMatchObject({ code: 0, stderr: '' });
    const { connection, db } = await testDatabase('empty');
    const target = { DATABASE_URL: urlOf(connection) };
    expect(await commandLine(['restore', copy, '--without-key'], target)).toMatchObject({
      code: 0,
    });
    expect(await commandLine(['verify'], target)).toMatchObject({ code: 0 });
    // Each feature exists together with the event of its creation.
    const { rows } = await sql<{ features: number; events: number }>`
      select (select count(*) from features) as features,
             (select count(*) from events where type = 'feature-created') as events`.execute(db);
    expect(rows[0]?.features).toBe(rows[0]?.events);
    expect(rows[0]?.features).toBeGreaterThan(0);
  }
  isOver = true;
  const made = await Promise.all(writers);
  expect(Math.min(...made)).toBeGreaterThan(0);
  await server.end('SIGTERM');
});
