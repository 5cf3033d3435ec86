import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

interface Watcher {
  /** Returns the longest wait since the last call, in milliseconds. */
  readonly longestWait: () => Promise<number>;
  readonly stop: () => void;
}

/**
 * Starts the watcher in a separate process: a process that generates and sends a megabyte of JSON would measure itself.
 */
export async function startWatcher(url: string): Promise<Watcher> {
  const file = fileURLToPath(new URL('./watcher-process.ts', import.meta.url));
  const child = fork(file, [url], { execArgv: ['--import', 'tsx'] });
  const longestWait = () =>
    new Promise<number>((resolve) => {
      child.once('message', (ms) => resolve(Number(ms)));
      child.send('how long?');
    });
  await longestWait();
  return { longestWait, stop: () => child.kill() };
}
