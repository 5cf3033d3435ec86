import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { expect, test } from 'vitest';
import { createLogger } from '../log.ts';
import { registerErrorHandler } from './error-handler.ts';
import { type DatabaseState, registerHealth } from './ready.ts';

/** A running instance with a snapshot and a database, unless overridden. */
function instance(
  more: Partial<Parameters<typeof registerHealth>[1]> = {},
  log = createLogger('silent'),
) {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
  });
  app.setValidatorCompiler(() => () => true);
  registerErrorHandler(app);
  registerHealth(app, {
    isStopping: () => false,
    hasSnapshot: async () => true,
    findDatabaseState: async () => 'reached',
    ...more,
  });
  return async (url: string) => {
    const response = await app.inject(url);
    return [response.statusCode, response.json().database ?? response.json().message];
  };
}

const never = () => new Promise<never>(() => undefined);

test('an instance that can serve SDKs is ready, whatever the state of its database', async () => {
  for (const state of ['reached', 'away', 'full'] as const) {
    const ask = instance({ findDatabaseState: async () => state });
    expect(await ask('/ready')).toEqual([200, state]);
    expect(await ask('/ready?database=false')).toEqual([200, state]);
    const [status] = await ask('/ready?database=true');
    expect([state, status]).toEqual([state, state === 'reached' ? 200 : 503]);
  }
});

test('a probe does not wait for a database that does not respond', async () => {
  expect(await instance({ findDatabaseState: never })('/ready')).toEqual([200, 'away']);
});

test('an instance without a snapshot is not ready, even while reading one hangs', async () => {
  const message = "The snapshot for SDKs hasn't been read yet";
  for (const hasSnapshot of [
    async () => false,
    () => Promise.reject(new Error('no route to host')),
    never,
  ]) {
    expect(await instance({ hasSnapshot })('/ready')).toEqual([503, message]);
  }
});

test('an instance that is stopping is not ready, but alive', async () => {
  const ask = instance({ isStopping: () => true });
  expect(await ask('/ready')).toEqual([503, 'This server is stopping']);
  expect(await ask('/health')).toEqual([200, undefined]);
});

test('a failed probe is not logged', async () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  const away = async () => 'away' as const;
  for (const more of [{ isStopping: () => true }, { findDatabaseState: away }]) {
    expect((await instance(more, log)('/ready?database=true'))[0]).toBe(503);
  }
  expect(lines).toEqual([]);
});

test('concurrent probes query the database once', async () => {
  let [arrived, looks] = [0, 0];
  let finish: (state: DatabaseState) => void = () => undefined;
  const ask = instance({
    isStopping: () => {
      arrived += 1;
      return false;
    },
    findDatabaseState: () => {
      looks += 1;
      return new Promise((resolve) => {
        finish = resolve;
      });
    },
  });
  const answers = Array.from({ length: 50 }, () => ask('/ready?database=true'));
  await expect.poll(() => arrived).toBe(50);
  finish('reached');
  expect(new Set((await Promise.all(answers)).map(String))).toEqual(new Set(['200,reached']));
  expect(looks).toBe(1);
});
