import { createCache } from '../../../platform/cache.ts';
import { createSemaphore } from '../../../platform/semaphore.ts';

/** Half of the connections of the gate (`gateConnections` in server.ts). */
const maxConcurrent = 2;
/** At half a millisecond each, the last one waits about as long as a slow response takes. */
const maxWaiting = 500;
const maxCached = 10_000;

/**
 * Looks up credentials in the database. A credential that was valid last time is looked up at once. All others share a
 * few slots, so that a flood of invented tokens cannot take every connection. Unknown credentials are not cached,
 * because they may be created a moment later. A client that disconnects keeps its place in the queue, because other
 * requests with the same credential wait for the same look-up.
 */
export function createCredentialLookup() {
  const { acquire } = createSemaphore(maxConcurrent, {
    maxWaiting,
    refusal: 'Too many requests with unknown credentials. Try again later',
  });
  const validCredentials = createCache<string, true>({ maxEntries: maxCached });

  async function lookUp<Found>(
    credential: string,
    find: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const release = validCredentials.has(credential) ? () => undefined : await acquire();
    try {
      const found = await find();
      if (found === undefined) validCredentials.delete(credential);
      else validCredentials.set(credential, true);
      return found;
    } finally {
      release();
    }
  }

  return {
    lookUp,
    /** Notes a credential that is known to be valid, so that its first look-up does not wait among unknown ones. */
    noteValid: (credential: string) => validCredentials.set(credential, true),
  };
}
