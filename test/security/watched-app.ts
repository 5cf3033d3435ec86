import { sql } from 'kysely';
import { expect } from 'vitest';
import { endpointsById } from '../../src/app/large-bodies/endpoints.ts';
import { createLogger } from '../../src/platform/log.ts';
import { appOn, type TestApp } from '../support/app.ts';
import { testDatabase } from '../support/database.ts';
import { adminToken } from '../support/tokens.ts';

export type Line = Parameters<TestApp['ask']>[0];

/** The endpoint that answers a request. */
function endpointOf(line: Line) {
  const [method, url = ''] = line.split(' ');
  const steps = url.split('?', 1)[0]?.split('/') ?? [];
  return [...endpointsById().values()].find(({ path, ...endpoint }) => {
    const pattern = path.split('/');
    return (
      endpoint.method === method &&
      pattern.length === steps.length &&
      pattern.every((step, nth) => step.startsWith(':') || step === steps[nth])
    );
  });
}

/** A server that collects all its responses, log lines and stored data. */
export async function watchedApp(planted: readonly string[]) {
  /** All log lines, at the most verbose level. */
  const lines: string[] = [];
  /** Every secret that the test sent or that a response showed once. */
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

  /** Sends a request whose response shows a new secret, as it may do once. */
  async function secretOf(
    line: Line,
    payload: object | undefined,
    find: (body: Record<string, string>) => string | undefined,
    headers: Record<string, string> = {},
  ): Promise<string> {
    const response = await app.ask(line, { ...(payload && { payload }), headers });
    expect(response.statusCode, `${line}: ${response.body}`).toBeLessThan(400);
    expect(endpointOf(line)?.secretInResponse, `${line} is marked in its contract`).toBe(true);
    const secret = find(response.json());
    if (!secret) throw new Error(`${line} showed no secret: ${response.body}`);
    secrets.add(secret);
    return secret;
  }

  /** Sends a request with a secret in the wrong place. Neither the response nor the log may repeat it. */
  async function refusedWith(line: Line, payload: object): Promise<void> {
    const response = await app.ask(line, { payload });
    expect(response.statusCode, `${line}: ${response.body}`).toBeGreaterThanOrEqual(400);
    expect(response.statusCode, `${line}: ${response.body}`).toBeLessThan(500);
    answers.push(response.body);
  }

  /** Every row of every table as text, including binary columns. */
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

  /** `landmark` is a text known to be in the database, which proves that the search works. */
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
    // Every request here sends an admin token, and nothing may repeat it.
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
