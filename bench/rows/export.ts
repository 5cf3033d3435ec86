import type { Experiment, Result } from '../experiment.ts';
import { type Service, search, searchUrl } from '../load.ts';
import { adminToken, residentMb, startBurgee } from '../process.ts';

const targetSeconds = 60;
const targetMb = 64;
const watchMs = 25;
const lineEnd = 10;

/** Exports the whole log as NDJSON, and measures the server's memory. */
async function exportAll(name: string, burgee: Service, pid: number): Promise<Result[]> {
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
  // Read afterwards, so that on a new server the export is the first request.
  const { total } = (await search(burgee, { limit: 1 })).answer;
  if (lines !== total) throw new Error(`${total} events, but ${lines} lines of NDJSON`);
  const growth = before === undefined ? undefined : most - before;
  return [
    {
      name: `${name}: ${total.toLocaleString('en')} events as NDJSON`,
      target: `< ${targetSeconds} s`,
      met: ms < targetSeconds * 1000,
      ours: { maxMs: ms, perSecond: (lines * 1000) / ms, note: `${Math.round(bytes / 1e6)} MB` },
    },
    {
      name: `${name}: growth of resident memory`,
      target: `< ${targetMb} MB`,
      ...(growth !== undefined && { met: growth < targetMb }),
      ours: {
        ...(growth !== undefined && { megabytes: growth }),
        note: `${Math.round(before ?? 0)} MB before`,
      },
    },
  ];
}

export const exported: Experiment = {
  name: 'export',
  run: ({ burgee, pid }) => exportAll('export', burgee, pid),
};

/** Measures on a server that has just started: a heap that has not grown yet grows most. */
export async function measureColdExport(dataDir: string): Promise<Result[]> {
  const { url, pid, stop } = await startBurgee(dataDir);
  try {
    return await exportAll('export, after a start', { url, token: adminToken }, pid);
  } finally {
    await stop();
  }
}
