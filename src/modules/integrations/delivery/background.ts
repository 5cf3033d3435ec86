import { randomInt } from 'node:crypto';
import { eventsChannel } from '../../../platform/db/channels.ts';
import { logRetry } from '../../../platform/db/outage.ts';
import type { BackgroundServices } from '../../../platform/module.ts';
import { disableGone } from '../configuration/service.ts';
import { createEngine } from './engine.ts';
import { ownersClass } from './queries/claim.ts';
import { deliveriesChannel } from './queries/progress.ts';

const tickMs = 1_000;
/** How long a stop waits for responses. Deliveries without one are sent again after the next start. */
const graceMs = 5_000;

/** Sends deliveries while this instance runs. Returns a function that stops it. */
export function startDelivering(services: BackgroundServices): () => Promise<void> {
  const { queueDb, transact, system, clock, log, metrics, settings, listener, outgoing, stopping } =
    services;
  const attempts = metrics.counter({
    name: 'burgee_delivery_attempts_total',
    help: 'Delivery attempts of this instance, by outcome',
    labels: ['outcome'],
  });
  const owner = randomInt(1, 2 ** 31 - 1);
  const engine = createEngine({
    db: queueDb,
    transact,
    system,
    clock,
    log,
    settings,
    outgoing,
    owner,
    onAttempt: (outcome) => attempts({ outcome }),
    onGone: (id, trouble) => transact(system, (tx) => disableGone(tx, settings, id, trouble)),
  });

  let ticking: Promise<void> = Promise.resolve();
  const tick = () => {
    ticking = engine.tick().catch((error) => {
      if (!stopping.aborted) logRetry(log, error, 'could not read due deliveries');
    });
  };
  // The lock comes before the first claim. Without it other instances would treat our deliveries as orphaned.
  const beginning = listener.keep(`select pg_advisory_lock_shared(${ownersClass}, ${owner})`);
  let timer: NodeJS.Timeout | undefined;
  const begun = beginning.then(() => {
    if (stopping.aborted) return;
    listener.on(eventsChannel, engine.onNewEvents);
    listener.on(deliveriesChannel, engine.onIntegrationsChanged);
    timer = setInterval(tick, tickMs).unref();
    tick();
  });
  begun.catch((error) => log.error({ err: error }, 'deliveries could not be started'));

  return async () => {
    await begun.catch(() => undefined);
    clearInterval(timer);
    await ticking;
    await engine.stop(graceMs);
  };
}
