import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../bin/burgee.js', import.meta.url));

/** The token of the administrator that the provider uses. */
export const adminToken = '*:*.terraform';

export interface Burgee {
  readonly url: string;
  readonly ask: (line: `${string} ${string}`, body?: object, token?: string) => Promise<Response>;
  readonly stop: () => Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

const answers = (url: string) =>
  fetch(`${url}/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Starts a server like an operator, with an embedded database in this folder. */
export async function startBurgee(folder: string): Promise<Burgee> {
  const port = await freePort();
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [command, 'serve'], {
    env: {
      PATH,
      HOME,
      DATA_DIR: folder,
      PORT: String(port),
      INIT_ADMIN_API_TOKENS: adminToken,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = `http://localhost:${port}`;
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error('The server ended at its start');
    await delay(50);
  }
  return {
    url,
    ask: (line, body, token = adminToken) => {
      const [method, path] = line.split(' ') as [string, string];
      return fetch(`${url}${path}`, {
        method,
        headers: { authorization: token, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended(child);
    },
  };
}
