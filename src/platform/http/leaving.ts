import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { unavailable } from '../errors.ts';
import type { Release } from '../semaphore.ts';

const signals = new WeakMap<ServerResponse, AbortSignal>();

/**
 * Aborted when the response is closed: it was sent, or the caller has left. All who wait for that share one listener,
 * because Node warns of an eleventh. The close event does not repeat for late listeners.
 */
export function leaving({ raw }: FastifyReply): AbortSignal {
  const known = signals.get(raw);
  if (known) return known;
  const left = new AbortController();
  const leave = () => left.abort(unavailable('The client disconnected', 1));
  raw.once('close', leave);
  if (raw.destroyed) leave();
  signals.set(raw, left.signal);
  return left.signal;
}

/**
 * Acquires a permit and holds it until the response is closed. Fails if the caller disconnects while it waits. Returns a
 * function that releases it earlier.
 */
export async function holdUntilClosed(
  reply: FastifyReply,
  acquire: (signal: AbortSignal) => Promise<Release>,
): Promise<Release> {
  const left = leaving(reply);
  const release = await acquire(left);
  left.addEventListener('abort', release, { once: true });
  if (left.aborted) release();
  return release;
}
