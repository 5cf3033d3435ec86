import { transactOn } from '../installation.ts';
import { systemActor } from '../modules/access/index.ts';
import { modules } from '../modules.ts';
import type { Clock } from '../platform/clock.ts';
import { type Connection, createQueuePool, createWritePool } from '../platform/db/connect.ts';
import { createListener } from '../platform/db/listen.ts';
import type { Logger } from '../platform/log.ts';
import type { Module, Settings } from '../platform/module.ts';
import { createOutgoing } from '../platform/outgoing/send.ts';

export interface BackgroundOptions {
  readonly connection: Connection;
  readonly settings: Settings;
  readonly log: Logger;
  readonly clock: Clock;
}

/** One claims, one writes down, one looks after what others left behind. */
const queueConnections = 3;
const writeConnections = 2;

/** Starts what every module does by itself, for as long as the server runs. Returns the stop. */
export async function startBackground(options: BackgroundOptions): Promise<() => Promise<void>> {
  const { connection, settings, log, clock } = options;
  const db = createWritePool(connection, log, writeConnections);
  const queueDb = createQueuePool(connection, log, queueConnections);
  const listener = await createListener(connection, log);
  const outgoing = createOutgoing(settings.targets);
  const stopping = new AbortController();
  const services = {
    db,
    queueDb,
    transact: transactOn(db, clock),
    listener,
    outgoing,
    clock,
    log,
    settings,
    system: systemActor,
    stopping: stopping.signal,
  };
  const stops = (modules as readonly Module[]).flatMap(
    (module) => module.background?.(services) ?? [],
  );
  return async () => {
    stopping.abort();
    await Promise.all(stops.map((stop) => stop()));
    outgoing.close();
    await listener.close();
    await queueDb.destroy();
    await db.destroy();
  };
}
