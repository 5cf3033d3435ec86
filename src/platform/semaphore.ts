import { unavailable } from './errors.ts';

/** Releases the permit. A second call does nothing. */
export type Release = () => void;

interface Waiter {
  readonly admit: (release: Release) => void;
  readonly refuse: (reason: unknown) => void;
}

/** How many callers may wait. Further callers are refused at once, with 503. */
interface Queue {
  readonly maxWaiting: number;
  readonly refusal: string;
  readonly retryAfterSeconds?: number;
}

export interface Semaphore {
  /** Waits for a permit. Aborting the signal leaves the queue. */
  readonly acquire: (signal?: AbortSignal) => Promise<Release>;
  /** Runs the work once a permit is free. */
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** Runs at most `atOnce` pieces of work at a time. The others wait in order of arrival. */
export function createSemaphore(atOnce: number, queue?: Queue): Semaphore {
  const waiting = new Set<Waiter>();
  let running = 0;

  function newRelease(): Release {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const [next] = waiting;
      if (next) {
        // The permit passes to the next waiter directly, so that nobody can jump the queue.
        waiting.delete(next);
        next.admit(newRelease());
      } else {
        running -= 1;
      }
    };
  }

  const acquire = (signal?: AbortSignal): Promise<Release> =>
    new Promise((admit, refuse) => {
      if (signal?.aborted) {
        refuse(signal.reason);
      } else if (running < atOnce) {
        running += 1;
        admit(newRelease());
      } else if (queue && waiting.size >= queue.maxWaiting) {
        refuse(unavailable(queue.refusal, queue.retryAfterSeconds ?? 5));
      } else {
        const waiter = { admit, refuse };
        waiting.add(waiter);
        signal?.addEventListener('abort', () => {
          if (waiting.delete(waiter)) refuse(signal.reason);
        });
      }
    });

  return {
    acquire,
    async run(work) {
      const release = await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

export interface KeyedSemaphore {
  /** Waits for a permit of the key. Aborting the signal leaves the queue. */
  readonly acquire: (key: string, signal?: AbortSignal) => Promise<Release>;
}

/** A semaphore for each key. Keys that nobody uses take no memory. */
export function createKeyedSemaphore(atOnce: number): KeyedSemaphore {
  const inUse = new Map<string, { readonly semaphore: Semaphore; users: number }>();
  return {
    async acquire(key, signal) {
      const entry = inUse.get(key) ?? { semaphore: createSemaphore(atOnce), users: 0 };
      inUse.set(key, entry);
      entry.users += 1;
      const leave = () => {
        entry.users -= 1;
        if (entry.users === 0) inUse.delete(key);
      };
      try {
        const release = await entry.semaphore.acquire(signal);
        let isReleased = false;
        return () => {
          if (isReleased) return;
          isReleased = true;
          release();
          leave();
        };
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}
