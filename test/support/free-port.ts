import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that the system assigns itself: another worker could get such a port between the choice and the
 * start of the server. Each worker has its own range.
 */
const first = 20_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % 40) * 300;
const range = 300;
let chosen = process.pid;

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** A port for a server that is started later or restarted. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < range; tries += 1) {
    chosen += 1;
    const port = first + (chosen % range);
    if (await isFree(port)) return port;
  }
  throw new Error(`All ports from ${first} to ${first + range - 1} are in use`);
}
