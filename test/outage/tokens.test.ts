import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { transactOn } from '../../src/app/transact.ts';
import { createGate } from '../../src/modules/access/gate/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createLogger } from '../../src/platform/log.ts';
import { appOn, testApp } from '../support/app.ts';
import { testDatabase } from '../support/database.ts';
import { clientToken } from '../support/tokens.ts';

test('during an outage, a valid token that is new to the instance is accepted unless any token changed since', async () => {
  const { connection, db, name } = await testDatabase();
  const gate = createGate({
    ...{ db, transact: transactOn(db), clock: systemClock, log: createLogger('silent') },
    settings: { baseUrl: 'http://localhost:4242', sessionTtlHours: 48, sessionIdleHours: 12 },
  });
  // As an instance does when it starts to listen.
  await gate.preloadTokens();
  const app = await appOn({ connection, db }, { gate: () => gate });
  const statusFor = async (authorization?: string) =>
    (
      await app.ask('GET /api/client/features', {
        headers: authorization === undefined ? {} : { authorization },
      })
    ).statusCode;
  expect(await statusFor()).toBe(200);

  const elsewhere = (await testApp()).db;
  const run = (statement: string) => sql.raw(statement).execute(elsewhere);
  await run(`alter database "${name}" allow_connections false`);
  await run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  expect(await statusFor(clientToken)).toBe(200);
  expect(await statusFor('*:development.invented')).toBe(503);
  // The database came back too briefly to verify the tokens.
  gate.invalidate();
  gate.verifyTokens();
  expect(await statusFor(clientToken)).toBe(200);
  // A token was revoked, and the instance does not know which.
  gate.invalidate();
  gate.invalidateTokens();
  expect(await statusFor(clientToken)).toBe(503);
  await run(`alter database "${name}" allow_connections true`);
});
