import type { FastifyReply, FastifyRequest } from 'fastify';
import { badData, unavailable } from '../errors.ts';
import { createSemaphore, type Release } from '../semaphore.ts';
import type { Examined, LargeRequest } from './examine.ts';
import { joined } from './pieces.ts';

/** Bodies up to this size are parsed between two other requests: it takes 60 ms at worst. */
export const usualBytes = 1024 * 1024;

/** So many are read at once. A body that is read and not yet parsed takes no more memory than its bytes. */
const readAtOnce = 4;
/** Beyond that, whoever comes is asked to come again. */
const maxWaiting = 20;

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a request whose body may be large: how it gets its turn. */
    largeBody: LargeBody | null;
    /** Whether the body was parsed and validated elsewhere. */
    isExamined: boolean;
  }
}

interface LargeBody {
  /** The body has arrived: examines it once no other one is examined or worked on. */
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

/**
 * Large bodies of an instance: a few are read at once, and one is parsed, validated and worked on. Ten
 * at once took 2.6 GB. Parsing goes on elsewhere, so that nobody else waits for it.
 */
export function createLargeBodies(examine: (request: LargeRequest) => Promise<Examined>) {
  const queue = { maxWaiting, refusal: 'Other large bodies are being processed. Try again' };
  const read = createSemaphore(readAtOnce, queue);
  const work = createSemaphore(1, queue);

  /** Waits until the body may be read, where it may be large. Whoever leaves gives up the place. */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!mayBeLarge(request)) return;
    // Behind another answer on the same connection it could keep its place for as long as that one lasts.
    if (reply.raw.socket === null)
      throw unavailable('Send a large body over a separate connection', 1);
    const left = new AbortController();
    const releases: Release[] = [];
    const leave = () => {
      left.abort(unavailable('The caller left', 1));
      for (const release of releases) release();
    };
    reply.raw.once('close', leave);
    // It is not told again to who comes later: the caller may have left while the gate was asked.
    if (reply.raw.destroyed) leave();

    /** A place that is kept until the answer has left; nobody who has left keeps one. */
    const keep = (release: Release) => {
      if (left.signal.aborted) release();
      left.signal.throwIfAborted();
      releases.push(release);
    };
    const readAll = await read.acquire(left.signal);
    keep(readAll);
    request.largeBody = {
      examineInTurn: async (examine) => {
        readAll();
        const release = await work.acquire(left.signal);
        // Kept to the end of the examination, whoever leaves: the thread examines one body at a time.
        const examined = await examine().catch((error: unknown) => {
          release();
          throw error;
        });
        keep(release);
        return examined;
      },
    };
  }

  /** The body of a request, validated. */
  async function parse(request: FastifyRequest, bytes: Uint8Array): Promise<unknown> {
    const { endpoint } = request.routeOptions.config;
    if (!endpoint) throw new Error('only endpoints take large bodies');
    const { params, query, largeBody } = request;
    const examineBody = () => examine({ endpointId: endpoint.id, bytes, params, query });
    const examined = await (largeBody ? largeBody.examineInTurn(examineBody) : examineBody());
    if ('faults' in examined) throw badData(examined.faults);
    request.query = examined.query;
    request.parsed = examined.parsed;
    request.isExamined = true;
    return joined(examined.pieces);
  }

  return { admit, parse };
}

export type LargeBodies = ReturnType<typeof createLargeBodies>;
