import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { appOn, testApp } from '../support/app.ts';
import { testDatabase } from '../support/database.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly errorId?: string;
  readonly err?: { readonly stack: string };
}

test('an outage is logged when it starts and ends, without a stack trace for each request', async () => {
  const { connection, db, name } = await testDatabase();
  const lines: Line[] = [];
  const log = createLogger('debug', { write: (text) => void lines.push(JSON.parse(text)) });
  const app = await appOn({ connection, db }, { log, background: 'here', jobs: 'on' });
  const elsewhere = (await testApp()).db;
  const run = (statement: string) => sql.raw(statement).execute(elsewhere);
  const messages = () => lines.filter(({ level }) => level > 20).map(({ msg }) => msg);
  const retries = () =>
    lines.filter(({ level, msg }) => level === 20 && msg === 'periodic work failed');

  await run(`alter database "${name}" allow_connections false`);
  await run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  await expect.poll(messages).toContain('database unavailable, retrying');
  const began = performance.now();
  const ids: string[] = [];
  for (let times = 0; times < 30; times += 1) {
    const answer = await app.ask('GET /api/admin/projects');
    expect(answer.statusCode).toBe(503);
    ids.push(answer.json().id);
  }
  const failures = lines.filter(({ msg }) => msg.startsWith('The database cannot be reached'));
  // Every failed request is logged with its id, and one per half minute with all details.
  expect(failures.map(({ errorId }) => errorId)).toEqual(ids);
  const halfMinutes = 1 + Math.floor((performance.now() - began) / 30_000);
  expect(failures.filter(({ err }) => err?.stack).length).toBeLessThanOrEqual(halfMinutes);
  const losses = messages().filter((msg) => msg === 'lost database connections');
  expect(losses.length).toBeLessThanOrEqual(1);

  // Periodic jobs retry every second or two and do not log each failure as an error.
  await expect.poll(() => retries().length).toBeGreaterThan(1);
  const others = lines
    .filter(({ level, msg }) => level > 30 && !msg.startsWith('The database cannot be reached'))
    .map(({ msg }) => msg);
  expect(others).toEqual([...new Set(others)]);

  await run(`alter database "${name}" allow_connections true`);
  await expect.poll(messages).toContain('database reconnected');
  expect(messages().filter((msg) => msg === 'database unavailable, retrying')).toHaveLength(1);
});
