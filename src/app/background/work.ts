import { systemActor } from '../../modules/access/gate/index.ts';
import { startDelivering } from '../../modules/integrations/delivery/background.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Connection, createQueuePool, createWritePool } from '../../platform/db/connect.ts';
import { createListener } from '../../platform/db/listen.ts';
import type { Logger } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Settings } from '../../platform/module.ts';
import { createOutgoing } from '../../platform/outgoing/send.ts';
import { backgroundWriteConnections, queueConnections } from '../connections.ts';
import { transactOn } from '../transact.ts';

export interface BackgroundOptions {
  readonly connection: Connection;
  readonly settings: Settings;
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'counter'>;
}

/**
 * Starts the background work. Returns a function that stops it. It imports what it needs and not the list of modules:
 * with all of them, the thread took 38 MB instead of 29.
 */
export async function startBackground(options: BackgroundOptions): Promise<() => Promise<void>> {
  const { connection, settings, log, clock, metrics } = options;
  const db = createWritePool(connection, log, backgroundWriteConnections);
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
    metrics,
    settings,
    system: systemActor,
    stopping: stopping.signal,
  };
  const stopDelivering = startDelivering(services);
  return async () => {
    stopping.abort();
    await stopDelivering();
    outgoing.close();
    await listener.close();
    await queueDb.destroy();
    await db.destroy();
  };
}
