import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { endpoint } from '../contract/endpoint.ts';
import { named, oneOf, yesNo } from '../contract/schema.ts';
import { within } from '../db/outage.ts';
import { diskFull, unavailable } from '../errors.ts';
import { createSingleFlight } from '../single-flight.ts';
import { route } from './route.ts';

const health = endpoint({
  method: 'GET',
  path: '/health',
  id: 'getHealth',
  tag: 'Operations',
  summary: 'Check whether the process is alive',
  permission: 'public',
  response: named('healthCheckSchema', Type.Object({ health: Type.Literal('GOOD') })),
});

const databaseStates = ['reached', 'away', 'full'] as const;
export type DatabaseState = (typeof databaseStates)[number];

const ready = endpoint({
  method: 'GET',
  path: '/ready',
  id: 'getReady',
  tag: 'Operations',
  summary: 'Check whether this instance can serve SDKs',
  description:
    'SDKs are served from memory while the database is unavailable, so a load balancer should keep sending requests here. Returns 503 before the first snapshot was read, and as soon as the server is stopping.',
  permission: 'public',
  query: Type.Object({
    database: Type.Optional({
      ...yesNo,
      description: 'true: 503 also while the database is unavailable or its disk is full',
    }),
  }),
  response: named(
    'readyCheckSchema',
    Type.Object({
      health: Type.Literal('GOOD'),
      database: oneOf(
        databaseStates,
        'reached; away: it does not respond; full: its disk is full, so nothing can be changed',
      ),
    }),
  ),
});

/** Probes give up after a few seconds, and an instance that can serve SDKs must not fail one because of its database. */
const patienceMs = 1_000;

interface Readiness {
  readonly isStopping: () => boolean;
  /** Whether SDKs can be served from memory. */
  readonly hasSnapshot: () => Promise<boolean>;
  readonly findDatabaseState: () => Promise<DatabaseState>;
}

export function registerHealth(
  app: FastifyInstance,
  { isStopping, hasSnapshot, findDatabaseState }: Readiness,
): void {
  const states = createSingleFlight<'database', DatabaseState>();
  // Anyone may call this: however many do, they use one connection.
  const state = () => states.join('database', findDatabaseState);

  route(app, health, async () => ({ health: 'GOOD' as const }));
  route(app, ready, async ({ query }) => {
    if (isStopping()) throw unavailable('This server is stopping', 1);
    const needsDatabase = query.database === 'true';
    const database = needsDatabase
      ? await state()
      : await within(patienceMs, state()).catch(() => 'away' as const);
    if (needsDatabase && database === 'away') throw unavailable("The database doesn't respond");
    if (needsDatabase && database === 'full') throw diskFull();
    const canServe = await within(patienceMs, hasSnapshot()).catch(() => false);
    if (!canServe) throw unavailable("The snapshot for SDKs hasn't been read yet", 1);
    return { health: 'GOOD' as const, database };
  });
}
