import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';

const command = fileURLToPath(new URL('../../bin/burgee.js', import.meta.url));

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Its whole output so far. */
  readonly output: () => string;
  readonly ask: (
    request: `${string} ${string}`,
    options?: { body?: object; token?: string },
  ) => Promise<Response>;
  /**
   * Sends a signal and waits for the exit. Returns the exit code, or null after a kill. Afterwards, all output is
   * available.
   */
  readonly end: (signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL') => Promise<number | null>;
}

type Settings = Readonly<Record<string, string>>;

function start(args: readonly string[], settings: Settings) {
  // Only what the process needs: settings of the user who runs the tests must not leak in.
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

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null;

/** Runs a command to its end, at most until its test ends. */
export async function runCommand(args: readonly string[], settings: Settings) {
  const { child, output } = start(args, settings);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output() };
}

const token = '*:*.process-test';

/** A server process on a free port, or on PORT. It is killed with its test if it still runs. */
export async function startServer(settings: Settings): Promise<ServerProcess> {
  const port = settings.PORT ?? (await freePort());
  const { child, output } = start(['serve'], {
    PORT: String(port),
    INIT_ADMIN_API_TOKENS: token,
    LOG_LEVEL: 'warn',
    ...settings,
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const closed = once(child, 'close');
  const url = `http://localhost:${port}`;
  while (!(await answers(url))) {
    if (hasEnded(child)) throw new Error(`the server ended at once: ${output()}`);
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
    end: async (signal) => {
      child.kill(signal);
      // The last output may arrive after the exit.
      if (signal !== 'SIGKILL') await closed;
      else if (!hasEnded(child)) await once(child, 'exit');
      return child.exitCode;
    },
  };
}

const answers = (url: string) =>
  fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
