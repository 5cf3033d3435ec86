import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../../../../platform/log.ts';

/** The minimum pause between two rounds, for other requests. After a long round the pause is half its time. */
const pauseMs = 20;

/**
 * Publishes a change at once, unless the last round has just ended: of a burst, the first and the last change are
 * published. Otherwise each change would be written to thousands of streams. `publish` sends the latest snapshot.
 */
export function createPublisher(publish: () => Promise<void>, log: Logger): () => void {
  let isNews = false;
  let busy = false;

  async function round(): Promise<void> {
    busy = true;
    while (isNews) {
      isNews = false;
      const began = performance.now();
      await publish().catch((error) => {
        log.error({ err: error }, 'streams could not be notified of a change');
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
