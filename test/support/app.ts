import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Kysely } from 'kysely';
import { buildServer, type ServerOptions } from '../../src/app/server.ts';
import { transactOn } from '../../src/app/transact.ts';
import type { Actor } from '../../src/platform/actor.ts';
import type { Connection } from '../../src/platform/db/connect.ts';
import type { Database, Transact } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/log.ts';
import { closeLater } from './closing.ts';
import { testDatabase } from './database.ts';
import { withLimitedActors } from './limited-actors.ts';
import { checkAnswers } from './promised-answers.ts';
import { adminToken } from './tokens.ts';

export interface TestApp {
  readonly app: FastifyInstance;
  readonly db: Kysely<Database>;
  readonly connection: Connection;
  readonly transact: Transact;
  /** Sends requests as the administrator unless `headers` says otherwise. */
  readonly ask: (
    request: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`,
    options?: Omit<InjectOptions, 'url' | 'method'>,
  ) => Promise<LightMyRequestResponse>;
}

type TestOptions = Pick<
  ServerOptions,
  'clock' | 'gate' | 'limits' | 'background' | 'jobs' | 'drain'
> & {
  /** Receives the server's log, for tests that read it. */
  readonly log?: ServerOptions['log'];
  readonly signingKeyFile?: string | undefined;
  readonly config?: Partial<ServerOptions['config']>;
};

/**
 * The whole server on its own database, called without a port. It sends no deliveries and runs no periodic jobs
 * unless the test enables them: both together took a fifth of the time of all tests.
 */
export async function testApp(options: TestOptions = {}): Promise<TestApp> {
  const { connection, db } = await testDatabase();
  return appOn({ connection, db }, options);
}

/** Another instance on the database of an existing one. */
export async function appOn(
  { connection, db }: { connection: Connection; db: Kysely<Database> },
  { signingKeyFile, config, ...options }: TestOptions = {},
): Promise<TestApp> {
  const app = await buildServer({
    config: {
      baseUrl: 'http://localhost:4242',
      databasePoolMax: 6,
      trustedProxies: [],
      maxConnections: 1_000,
      publicMetrics: false,
      eventRetentionDays: undefined,
      metricsRetentionDays: 30,
      signingKeyFile,
      sessionTtlHours: 48,
      sessionIdleHours: 12,
      mail: undefined,
      encryptionKeys: [Buffer.alloc(32, 7)],
      targets: { privateTargets: false, loopback: true },
      // A receiver that does not respond is only slow because the machine is busy, unless the test says otherwise.
      deliveryTimeoutMs: 60_000,
      ...config,
    },
    connection,
    log: createLogger(process.env.TEST_LOG_LEVEL === 'error' ? 'error' : 'silent'),
    background: 'off',
    jobs: 'off',
    beforeRoutes: checkAnswers,
    gate: withLimitedActors,
    ...options,
  });
  closeLater(() => app.close());
  return {
    app,
    db,
    connection,
    transact: transactOn(db, options.clock),
    ask: (request, { headers, ...rest } = {}) => {
      const [method, ...url] = request.split(' ');
      return app.inject({
        method: method as 'GET',
        url: url.join(' '),
        headers: { authorization: adminToken, ...headers },
        ...rest,
      });
    },
  };
}

/** The administrator, for tests that change data without HTTP. */
export const testActor: Actor = {
  id: -2000,
  name: 'admin',
  kind: 'token',
  ip: null,
  requestId: null,
  may: () => true,
  sees: 'all',
};
