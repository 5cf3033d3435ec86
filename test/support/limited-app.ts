import { createGate } from '../../src/modules/access/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Actor } from '../../src/platform/db/database.ts';
import { appOn, type TestApp, testActor } from './app.ts';

/** Another instance on the same database, on which everybody is this actor. */
export const limitedApp = (
  { connection, db }: Pick<TestApp, 'connection' | 'db'>,
  actor: Partial<Pick<Actor, 'id' | 'may' | 'sees'>>,
): Promise<TestApp> =>
  appOn(
    { connection, db },
    {
      gate: {
        authenticate: async (request) => ({ ...testActor, requestId: request.id, ...actor }),
        permit: createGate(db, systemClock).permit,
      },
    },
  );
