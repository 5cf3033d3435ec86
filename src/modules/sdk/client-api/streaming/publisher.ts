import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../../../../platform/log.ts';

/** Between two rounds there is at least this, and half of what the last one took: for requests. */
const pauseMs = 20;

/**
 * Tells of news at once, unless the last time was a moment ago: of a burst only the first and the last are told.
 * Thousands of streams would otherwise be written to for every one. What is told is up to `tell`, and so never older
 * than what is known when it is told.
 */
export function createPublisher(tell: () => Promise<void>, log: Logger): () => void {
  let isNews = false;
  let busy = false;

  async function round(): Promise<void> {
    busy = true;
    while (isNews) {
      isNews = false;
      const began = performance.now();
      await tell().catch((error) => {
        log.error({ err: error }, 'streams could not be told of a change');
      });
      const pause = Math.max(pauseMs, (performance.now() - began) / 2);
      await setTimeout(pause, undefined, { ref: false });
    }
    busy = false;
  }

  return () => {
    isNews = true;
    if (!busy) void round();
  };
}
