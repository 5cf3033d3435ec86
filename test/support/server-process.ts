import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const command = fileURLToPath(new URL('../../bin/burgee.js', import.meta.url));

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Everything it has written so far. */
  readonly output: () => string;
  readonly ask: (
    request: `${string} ${string}`,
    options?: { body?: object; token?: string },
  ) => Promise<Response>;
  /** Sends a signal and waits for the end; gives the exit code, or null after a kill. */
  readonly end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<number | null>;
}

type Settings = Readonly<Record<string, string>>;

function start(args: readonly string[], settings: Settings) {
  // Only what the process needs: the settings of whoever runs the tests must not leak in.
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [command, ...args], {
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return { child, output: () => text };
}

const exited = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
};

/** Runs a command of the command line to its end. */
export async function runCommand(args: readonly string[], settings: Settings) {
  const { child, output } = start(args, settings);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output() };
}

const token = '*:*.process-test';

/** A server of its own process on a free port, killed with its test if it still runs. */
export async function startServer(settings: Settings): Promise<ServerProcess> {
  const port = await freePort();
  const { child, output } = start(['serve'], {
    PORT: String(port),
    INIT_ADMIN_API_TOKENS: token,
    LOG_LEVEL: 'warn',
    ...settings,
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const url = `http://localhost:${port}`;
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`the server ended at once: ${output()}`);
    await new Promise((resume) => setTimeout(resume, 20));
  }
  return {
    url,
    pid: child.pid ?? 0,
    output,
    ask: (request, { body, token: other = token } = {}) => {
      const [method, ...path] = request.split(' ');
      return fetch(`${url}${path.join(' ')}`, {
        method: method as string,
        headers: { authorization: other, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    },
    end: (signal) => {
      child.kill(signal);
      return exited(child);
    },
  };
}

const answers = (url: string) =>
  fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );

export async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
