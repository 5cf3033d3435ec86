import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../caller-address.ts';
import { badData } from '../errors.ts';
import { createKeyedSemaphore, createSemaphore, type Release } from '../semaphore.ts';
import type { Examined, LargeRequest } from './examine.ts';
import { leaving } from './leaving.ts';
import { joined } from './pieces.ts';

/** Bodies up to this size are parsed as they arrive, which takes 6 ms at worst, and 17 ms for the first one of its kind. */
export const smallBytes = 64 * 1024;
/** Bodies up to this size are parsed between other requests, one at a time, unless they hold very many values. */
export const usualBytes = 1024 * 1024;

/** How many large bodies are read at once. Until it is parsed, a body takes no more memory than its bytes. */
const largeAtOnce = 4;
/** How many bodies between small and large are in memory at once. */
const grownAtOnce = 16;
const grownPerAccount = 2;
/** How many requests may wait. Further ones are refused with 503. */
const maxWaiting = 20;
const maxWaitingGrown = 200;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if the request's body may be large: how it is processed in turn. */
    largeBody: LargeBody | null;
    /** Whether the body was parsed and validated by the examiner. */
    isExamined: boolean;
  }
}

interface LargeBody {
  /** Examines the received body once no other one is being examined or processed. */
  readonly examineInTurn: (examine: () => Promise<Examined>) => Promise<Examined>;
}

const mayBeLarge = ({ headers, routeOptions }: FastifyRequest): boolean => {
  const length = headers['content-length'];
  return (
    (routeOptions.bodyLimit ?? 0) > usualBytes &&
    (length === undefined
      ? headers['transfer-encoding'] !== undefined
      : Number(length) > usualBytes)
  );
};

/** Whose body it is. Without an account, the address counts. */
export const accountOf = ({ actor, ip }: FastifyRequest): number | string =>
  actor?.id ?? callerOf(ip);

/** Holds a permit until the response is closed. Throws if the caller has disconnected meanwhile. */
function keep(release: Release, left: AbortSignal): void {
  left.addEventListener('abort', release);
  if (left.aborted) release();
  left.throwIfAborted();
}

/**
 * Limits the bodies of an instance. A few large ones are read at once, and one is parsed, validated and processed: ten
 * at once took 2.6 GB. Parsing runs in another thread, so that other requests do not wait. Every account has one, so
 * that no one's uploads block those of others.
 */
export function createLargeBodies(examine: (request: LargeRequest) => Promise<Examined>) {
  const refusal = 'Other large requests are being processed. Try again later';
  const ofAccount = 'This account has too many large requests in progress. Try again later';
  const queue = { maxWaiting, refusal };
  const large = createSemaphore(largeAtOnce, queue);
  const largeOf = createKeyedSemaphore<number | string>(1, { maxWaiting, refusal: ofAccount });
  const work = createSemaphore(1, queue);
  const examining = createSemaphore(1);
  const grown = createSemaphore(grownAtOnce, { maxWaiting: maxWaitingGrown, refusal });
  const grownOf = createKeyedSemaphore<number | string>(grownPerAccount, {
    maxWaiting: maxWaitingGrown,
    refusal: ofAccount,
  });

  /** Waits until a body that may be large may be read. */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<'permit' | 'none'> {
    if (!mayBeLarge(request)) return 'none';
    const left = leaving(reply);
    keep(await largeOf.acquire(accountOf(request), left), left);
    const readAll = await large.acquire(left);
    keep(readAll, left);
    request.largeBody = {
      examineInTurn: async (examine) => {
        readAll();
        const release = await work.acquire(left);
        // Held until the examination ends, even if the caller disconnects: its bytes are in the thread until then.
        const examined = await examine().catch((error: unknown) => {
          release();
          throw error;
        });
        keep(release, left);
        return examined;
      },
    };
    return 'permit';
  }

  /** Waits until a body that has become larger than a small one may be read to its end. */
  async function admitGrown(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const left = leaving(reply);
    keep(await grownOf.acquire(accountOf(request), left), left);
    keep(await grown.acquire(left), left);
  }

  /** Returns the validated body of a request. */
  async function parse(request: FastifyRequest, bytes: Uint8Array): Promise<unknown> {
    const { endpoint } = request.routeOptions.config;
    if (!endpoint) throw new Error('only endpoints take large bodies');
    const { params, query, largeBody } = request;
    const examineBody = () =>
      examining.run(() => examine({ endpointId: endpoint.id, bytes, params, query }));
    const examined = await (largeBody ? largeBody.examineInTurn(examineBody) : examineBody());
    if ('faults' in examined) throw badData(examined.faults);
    request.query = examined.query;
    request.parsed = examined.parsed;
    request.isExamined = true;
    return joined(examined.pieces);
  }

  return { admit, admitGrown, parse };
}

export type LargeBodies = ReturnType<typeof createLargeBodies>;
