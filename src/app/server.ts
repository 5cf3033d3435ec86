import type { FastifyInstance } from 'fastify';
import { type MigrationReport, migrate } from '../migrations/migrate.ts';
import {
  type AccessGate,
  createGate,
  listUnchangedActors,
  systemActor,
} from '../modules/access/gate/index.ts';
import { createMailer } from '../modules/access/users/index.ts';
import { createProposeInstead } from '../modules/governance/change-requests/index.ts';
import { guardRecorded } from '../modules/governance/guard/index.ts';
import { createReadAt } from '../modules/history/index.ts';
import { deliveriesChannel, hasIntegrations } from '../modules/integrations/index.ts';
import { createSdkTokens } from '../modules/sdk/client-api/index.ts';
import { createUsage } from '../modules/sdk/client-metrics/index.ts';
import { createStoredEdges } from '../modules/sdk/edges/index.ts';
import { createFindEvaluator, createOrigins } from '../modules/sdk/frontend-api/index.ts';
import { createDefinitions } from '../modules/sdk/snapshot/index.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { accessChannel, tokensChannel } from '../platform/db/channels.ts';
import {
  answers,
  type Connection,
  createGatePool,
  createReadPool,
  createSearchPool,
  createWritePool,
} from '../platform/db/connect.ts';
import { createReadSnapshot } from '../platform/db/database.ts';
import { watchDisk } from '../platform/db/disk.ts';
import { requireEncryptionKeys } from '../platform/db/encryption-keys.ts';
import { createListener } from '../platform/db/listen.ts';
import { createDatabaseBreaker } from '../platform/db/outage.ts';
import { createTurns, turnLimits } from '../platform/db/turns.ts';
import { hookRunner, lookupRunner } from '../platform/hooks.ts';
import { type ArrivalLimits, arrivalLimits } from '../platform/http/arrival.ts';
import type { Gate } from '../platform/http/authenticate.ts';
import { type CloseStreams, drain } from '../platform/http/drain.ts';
import { closeConnectionsAtStop, createHttpApp } from '../platform/http/http-app.ts';
import { createLargeBodies } from '../platform/http/large-bodies.ts';
import { registerMetrics } from '../platform/http/metrics.ts';
import { registerOpenApi } from '../platform/http/openapi.ts';
import { registerHealth } from '../platform/http/ready.ts';
import type { Logger } from '../platform/log.ts';
import { createMetrics } from '../platform/metrics.ts';
import type {
  Module,
  PlatformServices,
  Services,
  Settings,
  WritingServices,
} from '../platform/module.ts';
import { createOutgoing } from '../platform/outgoing/send.ts';
import { startTimers } from '../platform/timers.ts';
import { version } from '../platform/version.ts';
import { backgroundThread, type ThreadData } from './background/background-thread.ts';
import { startBackground } from './background/work.ts';
import type { Config } from './config.ts';
import { gateConnections, readConnections, searchConnections } from './connections.ts';
import { type InstallationReport, prepareInstallation } from './installation.ts';
import { describeInstance, timerMetrics } from './instance-metrics.ts';
import { createLocalExaminer, createThreadExaminer } from './large-bodies/examiner.ts';
import { modules } from './modules.ts';
import { type Committed, rehearseOn, transactOn } from './transact.ts';

export interface ServerOptions {
  readonly config: Settings &
    Pick<Config, 'databasePoolMax' | 'trustedProxies' | 'maxConnections' | 'publicMetrics'> &
    Partial<Pick<Config, 'shutdownDelayMs'>>;
  readonly connection: Connection;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Where deliveries run: in this thread, in a separate thread (requires the bundle), or nowhere. */
  readonly background?: 'here' | 'thread' | 'off';
  /** Whether this instance runs periodic jobs. */
  readonly jobs?: 'on' | 'off';
  /** Runs the drain when the server closes, unless there is a hurry. Without it, the server closes at once. */
  readonly drain?: (work: (hurry: AbortSignal) => Promise<void>) => Promise<void>;
  /** Time limits for requests to arrive; tests shorten them. */
  readonly limits?: ArrivalLimits;
  /** Wraps the access module's gate, for tests. */
  readonly gate?: (gate: AccessGate) => Gate;
  /** Adds hooks before the routes are registered. */
  readonly beforeRoutes?: (app: FastifyInstance) => void;
}

/** Migrates the database and fills an empty one. If several instances start at once, one of them does the work. */
export async function prepare(
  connection: Connection,
  config: Pick<
    Config,
    'initialTokens' | 'signingKeyFile' | 'firstAdministrator' | 'encryptionKeys'
  >,
  log: Logger,
): Promise<InstallationReport & MigrationReport> {
  const db = createWritePool(connection, log, 1);
  try {
    const migrated = await migrate(db);
    const transact = transactOn(db);
    await transact(systemActor, (tx) => requireEncryptionKeys(tx, config.encryptionKeys));
    return { ...migrated, ...(await prepareInstallation(transact, config)) };
  } finally {
    await db.destroy();
  }
}

/** How often the last-seen times of tokens are stored. A kill loses at most this much. */
const flushSeenMs = 15_000;

/**
 * The composition root: creates pools, hooks, modules and jobs. The server is ready to listen, or for `inject` in
 * tests.
 */
export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const { config, connection, log, clock = systemClock, limits = arrivalLimits } = options;
  const writeDb = createWritePool(connection, log, config.databasePoolMax);
  const db = createReadPool(connection, log, readConnections);
  const gateDb = createGatePool(connection, log, gateConnections);
  const searchDb = createSearchPool(connection, log, searchConnections(config.databasePoolMax));
  const listener = await createListener(connection, log);
  const breaker = createDatabaseBreaker();
  const outgoing = createOutgoing(config.targets);
  const metrics = createMetrics();
  const appended = metrics.counter({
    name: 'burgee_events_appended_total',
    help: 'Events that this instance has recorded',
  });
  const stopping = new AbortController();
  let isClosing = false;
  // Set later: the gate needs `transact`, and `transact` notifies the gate.
  let ownGate: AccessGate | undefined;
  const followers = new Set<() => void>();
  const onCommit = ({ access, tokens, events }: Committed) => {
    if (access) ownGate?.invalidate();
    if (tokens) ownGate?.invalidateTokens();
    if (events === 0) return;
    appended({}, events);
    for (const callback of followers) callback();
  };
  const recordOn = transactOn(writeDb, clock, onCommit, guardRecorded);
  const disk = watchDisk(recordOn, systemActor);
  const turns = createTurns(turnLimits(config.databasePoolMax));
  const transact = turns.takingTurns(disk.transact);
  const endings: (() => Promise<void>)[] = [];
  const closings: CloseStreams[] = [];
  const readSnapshot = createReadSnapshot(searchDb);
  const shared: PlatformServices = {
    db,
    searchDb,
    readSnapshot,
    readAt: createReadAt({ searchDb, readSnapshot, transact, system: systemActor, clock, log }),
    readBriefly: createReadSnapshot(gateDb),
    transact,
    rehearse: turns.takingTurns(rehearseOn(writeDb, clock)),
    listener,
    breaker,
    outgoing,
    clock,
    log,
    metrics,
    settings: config,
    system: systemActor,
    stopping: stopping.signal,
    onDrain: (close) => void closings.push(close),
    runHook: hookRunner(modules),
    lookUp: lookupRunner(modules),
    listUnchangedActors: (actors) => listUnchangedActors(searchDb, actors, clock()),
    onCommit: (callback) => {
      followers.add(callback);
      return () => followers.delete(callback);
    },
    atEnd: (work) => void endings.push(work),
  };
  const accessGate = createGate({ db: gateDb, transact, clock, log, breaker, settings: config });
  ownGate = accessGate;
  const services: Services = {
    ...shared,
    findLastUse: accessGate.findLastUse,
    mailer: createMailer(config, log),
    definitions: createDefinitions(shared),
    findEvaluator: createFindEvaluator(shared),
    findFrontendOrigins: createOrigins(shared),
    sdkTokens: createSdkTokens(shared),
    usage: createUsage(shared),
    edges: createStoredEdges(shared),
  };
  const gate = options.gate?.(accessGate) ?? accessGate;
  listener.on(accessChannel, accessGate.invalidate);
  listener.on(tokensChannel, (reason) =>
    reason === 'notified' ? accessGate.invalidateTokens() : accessGate.verifyTokens(),
  );
  const preloadTokens = () =>
    accessGate
      .preloadTokens()
      .catch((error: unknown) =>
        log.warn({ err: error }, 'could not load tokens for database outages'),
      );
  const flushing = setInterval(() => void accessGate.flush(), flushSeenMs).unref();
  const examiner =
    options.background === 'thread' ? createThreadExaminer(log) : createLocalExaminer();
  const largeBodies = createLargeBodies(examiner.examine);
  const basePath = new URL(config.baseUrl).pathname.replace(/\/+$/, '');
  const app = createHttpApp({
    ...{ config, basePath, gate, limits, largeBodies, log },
    stopping: stopping.signal,
  });
  await registerOpenApi(app, version, basePath);
  registerMetrics(app, { gate, isPublic: config.publicMetrics, registry: metrics.registry });
  describeInstance(metrics, {
    pools: { burgee: writeDb, read: db, gate: gateDb, search: searchDb },
    countWaitingChanges: turns.countWaiting,
    listener,
    hasDiskSpace: disk.hasDiskSpace,
  });
  options.beforeRoutes?.(app);
  app.decorate('proposeInstead', createProposeInstead(services));
  for (const module of modules) module.routes(app, services);
  registerHealth(app, {
    isStopping: () => isClosing,
    hasSnapshot: async () =>
      services.definitions.ageSeconds() !== undefined ||
      Boolean(await services.definitions.current()),
    findDatabaseState: async () => {
      if (!(await answers(gateDb))) return 'away';
      return (await disk.hasDiskSpace()) ? 'reached' : 'full';
    },
  });

  const writing: WritingServices = { ...services, writeDb };
  const parts: readonly Module[] = modules;
  const jobs = parts.flatMap((module) => module.jobs?.(writing) ?? []);
  const stopTimers = startTimers(
    writeDb,
    options.jobs === 'off' ? [] : jobs,
    log,
    timerMetrics(metrics),
  );
  const stopStarted =
    options.jobs === 'off' ? [] : parts.flatMap((module) => module.start?.(services) ?? []);
  let stopBackground = async (): Promise<void> => undefined;
  if (options.background === 'thread') {
    const logLevel = log.level as ThreadData['logLevel'];
    const thread = backgroundThread({
      data: { connection, settings: config, logLevel },
      log,
      metrics,
      isNeeded: () => hasIntegrations(searchDb),
      onChange: (callback) => listener.on(deliveriesChannel, callback),
    });
    // Runs after the server listens, so that it does not delay the start.
    app.addHook('onListen', async () => thread.start());
    stopBackground = thread.stop;
  } else if (options.background !== 'off') {
    stopBackground = await startBackground({ connection, settings: config, log, metrics, clock });
  }
  app.addHook('onListen', preloadTokens);
  closeConnectionsAtStop(app, async () => {
    isClosing = true;
    const { shutdownDelayMs: waitMs = 0 } = config;
    if (waitMs > 0) {
      await options.drain?.((hurry) => {
        log.info({ seconds: waitMs / 1000 }, 'draining: no longer ready, still serving');
        return drain(closings, { waitMs, hurry });
      });
    }
    stopping.abort();
  });
  app.addHook('onClose', async () => {
    clearInterval(flushing);
    await Promise.all([
      stopTimers(),
      stopBackground(),
      ...stopStarted.map((stop) => stop()),
      ...endings.map((end) => end()),
    ]);
    outgoing.close();
    await examiner.close();
    await accessGate.flush();
    await listener.close();
    await searchDb.destroy();
    await gateDb.destroy();
    await db.destroy();
    await writeDb.destroy();
  });
  await app.ready();
  await listener.subscribed();
  return app;
}
