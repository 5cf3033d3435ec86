import { transactOn } from '../installation.ts';
import { systemActor } from '../modules/access/gate/index.ts';
import { modules } from '../modules.ts';
import type { Clock } from '../platform/clock.ts';
import { type Connection, createQueuePool, createWritePool } from '../platform/db/connect.ts';
import { createListener } from '../platform/db/listen.ts';
import type { Figures } from '../platform/figures.ts';
import type { Logger } from '../platform/log.ts';
import type { Module, Settings } from '../platform/module.ts';
import { createOutgoing } from '../platform/outgoing/send.ts';

export interface BackgroundOptions {
  readonly connection: Connection;
  readonly settings: Settings;
  readonly log: Logger;
  readonly clock: Clock;
  readonly figures: Pick<Figures, 'counter'>;
}

/** One connection claims, one stores outcomes, one cleans up after dead instances. */
const queueConnections = 3;
const writeConnections = 2;

export const backgroundConnections = queueConnections + writeConnections;

/** Starts the background work of all modules. Returns a function that stops it. */
export async function startBackground(options: BackgroundOptions): Promise<() => Promise<void>> {
  const { connection, settings, log, clock, figures } = options;
  const db = createWritePool(connection, log, writeConnections);
  const queueDb = createQueuePool(connection, log, queueConnections);
  // The main thread's listener already logs outages of the database.
  const listener = await createListener(connection, log, { isQuiet: true });
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
    figures,
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
