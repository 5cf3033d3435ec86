import type { Result } from '../experiment.ts';
import { onFreshBurgee } from '../on-burgee.ts';
import { findStalls, maxWaitMs } from '../stalls/stalls.ts';

const shown = 12;

/** Measures how long the worst requests block another one. */
export const measureStalls = (say: (line: string) => void): Promise<readonly Result[]> =>
  onFreshBurgee(async (fresh) => {
    const stalls = await findStalls(fresh, { features: 10_000, minutes: 20, say });
    const missed = stalls.filter(({ waitMs }) => waitMs >= maxWaitMs);
    return stalls
      .slice(0, Math.max(shown, missed.length))
      .map(({ what, status, waitMs, tookMs }) => ({
        name: `stall: ${what}`,
        target: `< ${maxWaitMs} ms`,
        met: waitMs < maxWaitMs,
        ours: {
          maxMs: waitMs,
          note: `${status}, ${Math.round(tookMs)} ms in all, of ${stalls.length} tried`,
        },
      }));
  });
