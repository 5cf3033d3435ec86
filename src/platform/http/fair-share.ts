import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../caller-address.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { createKeyedSemaphore, type Release } from '../semaphore.ts';
import { holdUntilClosed } from './leaving.ts';
import { isProbe } from './probes.ts';

/**
 * How many reads of one account are handled at once. Further ones wait. Four use both cores and half of the connections
 * for searches; with six, lists of 10,000 rows delayed others by more than a second. Without an account, the address
 * counts.
 */
const atOnce = 4;
const maxWaiting = 200;

const eventStream = 'text/event-stream';

/** Streams stay open, and have their own limits. */
const isStream = ({ alsoProduces }: Endpoint, { headers }: FastifyRequest): boolean =>
  alsoProduces?.[eventStream] !== undefined && (headers.accept ?? '').includes(eventStream);

/** A response of which nothing is read for this long gives up its share. */
const unreadMs = 10_000;
/** A large one is closed if nothing is read for this long, because it takes memory. */
const abandonedMs = 60_000;

/**
 * Gives up the share of a response that no one reads, so that the account's other requests do not wait for it. The
 * connection's timer starts again with everything that the caller takes.
 */
function releaseIfUnread({ raw }: FastifyReply, isLarge: boolean, release: Release): void {
  let isReleased = false;
  raw.setTimeout(unreadMs, () => {
    const { socket } = raw;
    // Nothing to read yet.
    if (!socket?.writableLength) return;
    if (isReleased) socket.destroy();
    isReleased = true;
    release();
    socket.setTimeout(isLarge ? abandonedMs - unreadMs : 0);
  });
}

/** Changes have limits of their own (`db/turns.ts`), because they may wait for locks. An export records an event. */
const isChange = ({ method, permission, duringMaintenance, largeResponse }: Endpoint): boolean =>
  permission !== 'public' && method !== 'GET' && !duringMaintenance && !largeResponse;

/** Limits what one caller has under way, so that a hundred requests of one delay others no longer than a few. */
export function createFairShare() {
  const refusal = 'This account has too many requests in progress. Try again later';
  const reads = createKeyedSemaphore<number>(atOnce, { maxWaiting, refusal });
  const withoutAccount = createKeyedSemaphore<string>(atOnce, {
    maxWaiting,
    refusal: 'Too many requests from this IP address are in progress. Try again later',
  });

  // An export is in memory until it is sent.
  const largeReads = createKeyedSemaphore<number>(1, { maxWaiting, refusal });

  const acquire = (
    { actor, ip }: FastifyRequest,
    { largeResponse }: Endpoint,
    signal: AbortSignal,
  ) => {
    if (!actor) return withoutAccount.acquire(callerOf(ip), signal);
    return (largeResponse ? largeReads : reads).acquire(actor.id, signal);
  };

  /**
   * Waits until the request may begin. Its share ends when its response was sent, or is not read for ten seconds.
   * Without an account it ends when the response is ready: these are small, and one that is not read would keep everyone
   * with the same address waiting. Tokens of SDKs are not limited, because thousands of applications share one, and their
   * responses are prepared for all.
   */
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    endpoint: Endpoint,
  ): Promise<void> => {
    // Probes must be answered, however much comes from their address.
    if (endpoint.audience || isProbe(request)) return;
    if (isChange(endpoint) || isStream(endpoint, request)) return;
    const release = await holdUntilClosed(reply, (signal) => acquire(request, endpoint, signal));
    if (request.actor) releaseIfUnread(reply, endpoint.largeResponse === true, release);
    else request.endTurn = release;
  };
}
