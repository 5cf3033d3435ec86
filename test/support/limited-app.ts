import { createGate } from '../../src/modules/access/gate/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Actor } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/log.ts';
import { appOn, type TestApp, testActor } from './app.ts';

/** Another instance on the same database, where every request has this actor. */
export const limitedApp = (
  { connection, db, transact }: Pick<TestApp, 'connection' | 'db' | 'transact'>,
  actor: Partial<Pick<Actor, 'id' | 'may' | 'sees'>>,
): Promise<TestApp> =>
  appOn(
    { connection, db },
    {
      gate: {
        ...createGate({
          db,
          transact,
          clock: systemClock,
          log: createLogger('silent'),
          settings: { baseUrl: 'http://localhost:4242', sessionTtlHours: 48, sessionIdleHours: 12 },
        }),
        authenticate: async (request) => ({ ...testActor, requestId: request.id, ...actor }),
      },
    },
  );
