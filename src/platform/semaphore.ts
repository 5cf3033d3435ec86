import { unavailable } from './errors.ts';

/** Gives the place back; a second call does nothing. */
export type Release = () => void;

interface Waiter {
  readonly admit: (release: Release) => void;
  readonly refuse: (reason: unknown) => void;
}

/**
 * Lets at most `atOnce` pieces of work run, and at most `maxWaiting` wait for that. Whoever comes
 * beyond that is told at once to try again.
 */
export function createSemaphore(atOnce: number, maxWaiting: number, refusal: string) {
  const waiting = new Set<Waiter>();
  let running = 0;

  function newRelease(): Release {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const [next] = waiting;
      if (next) {
        // The place is handed on, so that nobody can jump the queue.
        waiting.delete(next);
        next.admit(newRelease());
      } else {
        running -= 1;
      }
    };
  }

  /** Waits for a place. Whoever no longer wants it aborts, and leaves the queue. */
  return (signal?: AbortSignal): Promise<Release> =>
    new Promise((admit, refuse) => {
      if (signal?.aborted) {
        refuse(signal.reason);
      } else if (running < atOnce) {
        running += 1;
        admit(newRelease());
      } else if (waiting.size >= maxWaiting) {
        refuse(unavailable(refusal, 5));
      } else {
        const waiter = { admit, refuse };
        waiting.add(waiter);
        signal?.addEventListener('abort', () => {
          if (waiting.delete(waiter)) refuse(signal.reason);
        });
      }
    });
}
