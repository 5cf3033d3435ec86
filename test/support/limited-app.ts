import { createGate } from '../../src/modules/access/gate/index.ts';
import type { Actor } from '../../src/platform/actor.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createLogger } from '../../src/platform/log.ts';
import { appOn, type TestApp, testActor } from './app.ts';

type Base = Pick<TestApp, 'connection' | 'db' | 'transact'>;
type Limits = Partial<Pick<Actor, 'id' | 'may' | 'sees'>>;

/** Tells the instance which of its actors a request comes from. */
const actorHeader = 'x-test-actor';

interface Instance {
  readonly app: TestApp;
  readonly actors: Limits[];
}

/** One for each database: an instance takes longer to build than most tests take. */
const instances = new WeakMap<TestApp['db'], Promise<Instance>>();

async function openInstance({ connection, db, transact }: Base): Promise<Instance> {
  const actors: Limits[] = [];
  const gate = createGate({
    db,
    transact,
    clock: systemClock,
    log: createLogger('silent'),
    settings: { baseUrl: 'http://localhost:4242', sessionTtlHours: 48, sessionIdleHours: 12 },
  });
  const app = await appOn(
    { connection, db },
    {
      gate: {
        ...gate,
        authenticate: async ({ id, headers }) => {
          const actor = actors[Number(headers[actorHeader])];
          return actor && { ...testActor, requestId: id, ...actor };
        },
      },
    },
  );
  return { app, actors };
}

/** Asks another instance on the same database, as this actor. */
export async function limitedApp(base: Base, actor: Limits): Promise<TestApp> {
  const opened = instances.get(base.db) ?? openInstance(base);
  instances.set(base.db, opened);
  const { app, actors } = await opened;
  const number = actors.push(actor) - 1;
  return {
    ...app,
    ask: (request, { headers, ...options } = {}) =>
      app.ask(request, { ...options, headers: { ...headers, [actorHeader]: String(number) } }),
  };
}
