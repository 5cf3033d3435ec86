import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A request that someone else sends meanwhile. */
export interface Errand {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly token?: string;
  readonly body?: string;
}

interface Waits {
  /** The longest wait by name, in milliseconds. */
  readonly waits: Readonly<Record<string, number>>;
  /** How many requests failed, by name and status. */
  readonly failed: Readonly<Record<string, number>>;
}

/** Starts a process that sends the requests continuously, one of each at a time. */
export function startBystander(errands: readonly Errand[]) {
  const file = fileURLToPath(new URL('./bystander-process.ts', import.meta.url));
  const child = fork(file, [JSON.stringify(errands)], { execArgv: ['--import', 'tsx'] });
  const longestWaits = () =>
    new Promise<Waits>((resolve) => {
      child.once('message', (waits) => resolve(waits as Waits));
      child.send('how long?');
    });
  return { longestWaits, stop: () => child.kill() };
}
