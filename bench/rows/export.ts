import { countRows, type Experiment } from '../experiment.ts';
import { searchUrl } from '../load.ts';
import { residentMb } from '../process.ts';

const targetSeconds = 60;
const targetMb = 64;
const watchMs = 25;
const lineEnd = 10;

/** The whole log as NDJSON, and what that does to the memory of the server. */
export const exported: Experiment = {
  name: 'export',
  run: async ({ burgee, pid, pool }) => {
    const events = await countRows(pool, 'events');
    const before = residentMb(pid);
    let most = before ?? 0;
    const watching = setInterval(() => {
      most = Math.max(most, residentMb(pid) ?? 0);
    }, watchMs);
    const began = performance.now();
    let lines = 0;
    let bytes = 0;
    try {
      const answer = await fetch(searchUrl(burgee, {}), {
        headers: { authorization: burgee.token, accept: 'application/x-ndjson' },
      });
      for await (const chunk of answer.body ?? []) {
        bytes += chunk.length;
        for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, at + 1)) {
          lines += 1;
        }
      }
    } finally {
      clearInterval(watching);
    }
    const ms = performance.now() - began;
    if (lines !== events) throw new Error(`${events} events, but ${lines} lines of NDJSON`);
    const growth = before === undefined ? undefined : most - before;
    return [
      {
        name: `export: ${events.toLocaleString('en')} events as NDJSON`,
        target: `< ${targetSeconds} s`,
        met: ms < targetSeconds * 1000,
        ours: { maxMs: ms, perSecond: (lines * 1000) / ms, note: `${Math.round(bytes / 1e6)} MB` },
      },
      {
        name: 'export: growth of resident memory',
        target: `< ${targetMb} MB`,
        ...(growth !== undefined && { met: growth < targetMb }),
        ours: {
          ...(growth !== undefined && { megabytes: growth }),
          note: `${Math.round(before ?? 0)} MB before`,
        },
      },
    ];
  },
};
