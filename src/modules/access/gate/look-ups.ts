import { createSemaphore } from '../../../platform/semaphore.ts';

/** Half of the connections that the gate has (`gateConnections` in server.ts). */
const atOnce = 2;
/** At half a millisecond each, the last of them waits for about as long as a slow answer takes. */
const maxWaiting = 500;
const maxRemembered = 10_000;

/**
 * Looks credentials up in the database. One that was good the last time is looked up at once. All others
 * share a few places, so that a flood of invented tokens cannot take every connection from those who
 * have a good one. That one is unknown is not remembered: it may be created a moment later. Whoever hangs up does
 * not give up the place in the queue: others who came with the same credential wait for the same look-up.
 */
export function createLookUps() {
  const acquire = createSemaphore(
    atOnce,
    maxWaiting,
    'Too many requests come with unknown credentials; please try again',
  );
  const good = new Set<string>();

  function remember(credential: string): void {
    // Whoever was good the last time becomes the youngest.
    good.delete(credential);
    good.add(credential);
    const [oldest] = good;
    if (good.size > maxRemembered && oldest !== undefined) good.delete(oldest);
  }

  return async <Found>(
    credential: string,
    find: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> => {
    const release = good.has(credential) ? () => undefined : await acquire();
    try {
      const found = await find();
      if (found === undefined) good.delete(credential);
      else remember(credential);
      return found;
    } finally {
      release();
    }
  };
}
