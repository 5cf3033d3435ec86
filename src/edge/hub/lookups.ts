import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../platform/errors.ts';
import { isRefusedContent } from '../upstream/requests.ts';

/** Upstreams accept 1,000 at once. */
const mostAtOnce = 100;
/** One address looks up so many at once; an edge with many tokens asks in parts. */
const mostOfAddress = 200;
/** Of all addresses: 2 MB. */
const mostWaiting = 10_000;
/** Between two requests: invented tokens must not become load of the upstream. */
const pauseMs = 100;
/** Eight find one token in 100 for which the upstream refuses all. More means that it refuses everything. */
const mostRefusals = 15;

interface Waiting {
  readonly secret: string;
  readonly address: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface Lookups {
  /** Resolves when the upstream has answered about the secret. Rejects if it has not, or if too many wait. */
  readonly ask: (secret: string, address: string) => Promise<void>;
}

/**
 * Asks the upstream about secrets that clients sent, many at once, and addresses in turn: clients can invent any number
 * of tokens, and others should not wait for them.
 */
export function createLookups(validate: (secrets: readonly string[]) => Promise<void>): Lookups {
  const byAddress = new Map<string, Waiting[]>();
  let count = 0;
  let isRunning = false;
  /** Also counts when nothing waited in between: one client that invents tokens one by one asks as often as many. */
  let notBeforeMs = Number.NEGATIVE_INFINITY;

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

  const awaitTurn = async (): Promise<void> => {
    const waitMs = notBeforeMs - performance.now();
    if (waitMs > 0) await pause(waitMs, undefined, { ref: false });
  };

  /** If the upstream refuses the request for one of the secrets, it is asked about the halves, down to that one. */
  async function answer(taken: readonly Waiting[]): Promise<void> {
    // One caller may send many such secrets. Together, they fail without those of others.
    const parts = [[...taken].sort((a, b) => a.address.localeCompare(b.address))];
    let refusals = 0;
    for (let part = parts.shift(); part; part = parts.shift()) {
      await awaitTurn();
      try {
        await validate([...new Set(part.map(({ secret }) => secret))]);
        for (const { resolve } of part) resolve();
      } catch (error) {
        refusals += 1;
        const half = Math.ceil(part.length / 2);
        if (part.length > 1 && refusals < mostRefusals && isRefusedContent(error)) {
          parts.push(part.slice(0, half), part.slice(half));
        } else for (const { reject } of part) reject(error);
      }
      notBeforeMs = performance.now() + pauseMs;
    }
  }

  async function run(): Promise<void> {
    while (count > 0) {
      await awaitTurn();
      await answer(takeFairly());
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
        waiting.push({ secret, address, resolve, reject });
        byAddress.set(address, waiting);
        count += 1;
        if (isRunning) return;
        isRunning = true;
        // What arrives meanwhile is asked about together.
        void Promise.resolve().then(run);
      }),
  };
}
