import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

interface Watcher {
  /** The longest that somebody waited since this was asked last, in milliseconds. */
  readonly longestWait: () => Promise<number>;
  readonly stop: () => void;
}

/** In a process of its own: whoever makes and sends a megabyte of JSON would measure itself. */
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
