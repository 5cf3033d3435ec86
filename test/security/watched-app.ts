import { sql } from 'kysely';
import { expect } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { appOn, type TestApp } from '../support/app.ts';
import { testDatabase } from '../support/database.ts';
import { adminToken } from '../support/tokens.ts';

export type Line = Parameters<TestApp['ask']>[0];

/** A server of which everything is kept that it says, writes and stores. */
export async function watchedApp(planted: readonly string[]) {
  /** All that the server wrote into its log, at its most talkative. */
  const lines: string[] = [];
  /** Every secret that was planted, or shown once by the answer that made it. */
  const secrets = new Set<string>(planted);
  const answers: string[] = [];
  const app = await appOn(await testDatabase(), {
    background: 'here',
    jobs: 'on',
    log: createLogger('trace', { write: (line: string) => void lines.push(line) }),
  });

  async function ask(line: Line, payload?: object, headers: Record<string, string> = {}) {
    const response = await app.ask(line, { ...(payload && { payload }), headers });
    expect(response.statusCode, `${line}: ${response.body}`).toBeLessThan(400);
    answers.push(`${JSON.stringify(response.headers)}\n${response.body}`);
    return response;
  }

  /** An answer that shows a secret, which is right once. */
  async function secretOf(
    line: Line,
    payload: object | undefined,
    find: (body: Record<string, string>) => string | undefined,
    headers: Record<string, string> = {},
  ): Promise<string> {
    const response = await app.ask(line, { ...(payload && { payload }), headers });
    expect(response.statusCode, `${line}: ${response.body}`).toBeLessThan(400);
    const secret = find(response.json());
    if (!secret) throw new Error(`${line} showed no secret: ${response.body}`);
    secrets.add(secret);
    return secret;
  }

  /** A request with a secret in the wrong place: its answer and its log line say nothing of it. */
  async function refusedWith(line: Line, payload: object): Promise<void> {
    const response = await app.ask(line, { payload });
    expect(response.statusCode, `${line}: ${response.body}`).toBeGreaterThanOrEqual(400);
    expect(response.statusCode, `${line}: ${response.body}`).toBeLessThan(500);
    answers.push(response.body);
  }

  /** Every row of every table, as text: bytes too, should a secret have been stored as they are. */
  async function dump(): Promise<string> {
    const { rows: tables } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public'`.execute(app.db);
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`
        select row_to_json(t)::text as row from ${sql.table(name)} t`.execute(app.db);
      texts.push(...rows.map(({ row }) => row));
    }
    return texts.join('\n');
  }

  /** `landmark` stands in the database: what finds no secret there does look at it. */
  async function expectNoSecretAnywhere(
    landmark: string,
    elsewhere: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const stored = await dump();
    expect(stored).toContain(landmark);
    expect(lines.length).toBeGreaterThan(10);
    const places = {
      answers: answers.join('\n'),
      log: lines.join(''),
      database: stored,
      ...elsewhere,
    };
    const found: string[] = [];
    // An admin token of the environment is sent with every request here, and yet nowhere repeated.
    for (const secret of [...secrets, adminToken]) {
      for (const [place, text] of Object.entries(places)) {
        const hex = Buffer.from(secret).toString('hex');
        if (text.includes(secret)) found.push(`${secret} in the ${place}`);
        if (text.includes(hex)) found.push(`the bytes of ${secret} in the ${place}`);
      }
    }
    expect(found).toEqual([]);
  }

  return { app, ask, secretOf, refusedWith, secrets, answers, expectNoSecretAnywhere };
}
