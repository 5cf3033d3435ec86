import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../platform/errors.ts';

/** Upstreams accept 1,000 at once. */
const mostAtOnce = 100;
/** One address looks up so many at once; an edge with many tokens asks in parts. */
const mostOfAddress = 200;
/** Of all addresses: 2 MB. */
const mostWaiting = 10_000;
/** Between two requests that found nothing: invented tokens must not become load of the upstream. */
const pauseMs = 100;

interface Waiting {
  readonly secret: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface Lookups {
  /** Resolves when the upstream has answered about the secret. Rejects if it has not, or if too many wait. */
  readonly ask: (secret: string, address: string) => Promise<void>;
}

/**
 * Asks the upstream about secrets that clients sent, many at once, and addresses in turn: clients can invent any number
 * of tokens, and others should not wait for them. `validate` returns whether any was valid.
 */
export function createLookups(validate: (secrets: readonly string[]) => Promise<boolean>): Lookups {
  const byAddress = new Map<string, Waiting[]>();
  let count = 0;
  let isRunning = false;

  /** Takes the oldest one of each address, then the next one of each. */
  function takeFairly(): Waiting[] {
    const taken: Waiting[] = [];
    while (count > 0 && taken.length < mostAtOnce) {
      for (const [address, waiting] of byAddress) {
        if (taken.length === mostAtOnce) break;
        taken.push(waiting.shift() as Waiting);
        count -= 1;
        // The others come first the next time.
        byAddress.delete(address);
        if (waiting.length > 0) byAddress.set(address, waiting);
      }
    }
    return taken;
  }

  async function run(): Promise<void> {
    while (count > 0) {
      const taken = takeFairly();
      let isFruitful = false;
      try {
        isFruitful = await validate([...new Set(taken.map(({ secret }) => secret))]);
        for (const { resolve } of taken) resolve();
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
      if (count > 0 && !isFruitful) await pause(pauseMs, undefined, { ref: false });
    }
    isRunning = false;
  }

  return {
    ask: (secret, address) =>
      new Promise((resolve, reject) => {
        const waiting = byAddress.get(address) ?? [];
        if (waiting.length >= mostOfAddress || count >= mostWaiting) {
          throw unavailable('Too many unknown tokens are being looked up. Try again later');
        }
        waiting.push({ secret, resolve, reject });
        byAddress.set(address, waiting);
        count += 1;
        if (isRunning) return;
        isRunning = true;
        // What arrives meanwhile is asked about together.
        void Promise.resolve().then(run);
      }),
  };
}
