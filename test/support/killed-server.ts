import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerProcess } from './server-process.ts';

/** The postmaster of a data folder. If it is killed with its server, the next start must recover the data. */
export const postmasterOf = (folder: string) =>
  Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

export interface LoggedEvent {
  readonly type: string;
  readonly project: string;
  readonly featureName: string | null;
}

/** The whole event log, oldest first. */
export async function allEvents(server: ServerProcess): Promise<LoggedEvent[]> {
  const response = await fetch(`${server.url}/api/admin/search/events?order=asc`, {
    headers: { authorization: '*:*.process-test', accept: 'application/x-ndjson' },
  });
  const text = await response.text();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
