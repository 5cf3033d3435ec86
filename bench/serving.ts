import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fresh } from './on-burgee.ts';
import { executable, freePort } from './process.ts';

/** A process that serves SDKs. */
export interface Served {
  readonly url: string;
  readonly pid: number;
}

/** What serves SDKs in a measurement: the server itself, or an edge in front of it. */
export interface Serving {
  readonly name: string;
  /** How much memory it may have before the first request. */
  readonly idleMb?: number;
  readonly on: <Result>(
    fresh: Fresh,
    tokens: readonly string[],
    work: (served: Served) => Promise<Result>,
  ) => Promise<Result>;
}

export const byServer: Serving = {
  name: 'server',
  on: ({ service, pid }, _tokens, work) => work({ url: service.url, pid }),
};

const pollMs = 20;

/** An edge in a process of its own, with the flags of its image. */
export const byEdge: Serving = {
  name: 'edge',
  idleMb: 110,
  on: async ({ service }, tokens, work) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const flags = ['--max-semi-space-size=4', '--max-old-space-size=1024'];
    const child = spawn(process.execPath, [...flags, executable, 'edge'], {
      env: {
        ...process.env,
        UPSTREAM_URL: service.url,
        TOKENS: tokens.join(','),
        PORT: String(port),
        LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(child, 'exit');
    try {
      while (
        !(await fetch(`${url}/internal-backstage/ready`).then(
          ({ ok }) => ok,
          () => false,
        ))
      ) {
        if (child.exitCode !== null) throw new Error(`the edge ended with ${child.exitCode}`);
        await sleep(pollMs);
      }
      return await work({ url, pid: child.pid ?? 0 });
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  },
};
