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
        // The permit passes to the next waiter directly, so that no one can jump the queue.
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

interface KeyedSemaphore<Key> {
  readonly acquire: (key: Key, signal?: AbortSignal) => Promise<Release>;
}

/** Runs at most `atOnce` pieces of work of each key at a time, for example of each account. */
export function createKeyedSemaphore<Key>(atOnce: number, queue?: Queue): KeyedSemaphore<Key> {
  /** Of keys with work. `uses` counts running and waiting work. */
  const semaphores = new Map<Key, Semaphore & { uses: number }>();
  return {
    async acquire(key, signal) {
      const semaphore = semaphores.get(key) ?? { ...createSemaphore(atOnce, queue), uses: 0 };
      semaphores.set(key, semaphore);
      const leave = () => {
        semaphore.uses -= 1;
        if (semaphore.uses === 0) semaphores.delete(key);
      };
      semaphore.uses += 1;
      try {
        const release = await semaphore.acquire(signal);
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
