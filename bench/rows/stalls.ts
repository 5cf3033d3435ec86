import type { Result } from '../experiment.ts';
import { onFreshBurgee } from '../on-burgee.ts';
import { findCrowding, maxCrowdMb, maxCrowdWaitMs } from '../stalls/crowds.ts';
import { findStalls, maxWaitMs } from '../stalls/stalls.ts';

const shown = 12;

/** Measures what a client with a hundred connections does to others. */
const measureCrowds = (say: (line: string) => void): Promise<readonly Result[]> =>
  onFreshBurgee(async (fresh) => {
    const results = await findCrowding(fresh, { features: 10_000, say });
    return results.map(({ what, who, waitMs, grownMb }) => ({
      name: `crowd: ${what}`,
      target: `< ${maxCrowdWaitMs} ms, < ${maxCrowdMb} MB`,
      met: waitMs < maxCrowdWaitMs && grownMb < maxCrowdMb,
      ours: { maxMs: waitMs, note: `${who}; +${Math.round(grownMb)} MB` },
    }));
  });

const measureSingle = (say: (line: string) => void): Promise<readonly Result[]> =>
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

/** Measures how long the worst requests block another one, alone and in crowds. */
export const measureStalls = async (say: (line: string) => void): Promise<readonly Result[]> => [
  ...(await measureSingle(say)),
  ...(await measureCrowds(say)),
];
