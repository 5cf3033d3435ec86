import type { FastifyReply, FastifyRequest } from 'fastify';
import { badData, unavailable } from '../errors.ts';
import { createSemaphore, type Release } from '../semaphore.ts';
import type { Examined, LargeRequest } from './examine.ts';
import { joined } from './pieces.ts';

/** Bodies up to this size are parsed between other requests, which takes 60 ms at worst. */
export const usualBytes = 1024 * 1024;

/** How many large bodies are read at once. Until it is parsed, a body takes no more memory than its bytes. */
const readAtOnce = 4;
/** How many requests may wait. Further ones are refused with 503. */
const maxWaiting = 20;

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

/**
 * Limits the large bodies of an instance: a few are read at once, and one is parsed, validated and processed. Ten at
 * once took 2.6 GB. Parsing runs in another thread, so that other requests do not wait.
 */
export function createLargeBodies(examine: (request: LargeRequest) => Promise<Examined>) {
  const queue = { maxWaiting, refusal: 'Other large bodies are being processed. Try again' };
  const read = createSemaphore(readAtOnce, queue);
  const work = createSemaphore(1, queue);

  /** Waits until a body that may be large may be read. A caller that disconnects gives up its permit. */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!mayBeLarge(request)) return;
    // Pipelined behind another response, it could hold its permit for as long as that response lasts.
    if (reply.raw.socket === null)
      throw unavailable('Send a large body over a separate connection', 1);
    const left = new AbortController();
    const releases: Release[] = [];
    const leave = () => {
      left.abort(unavailable('The caller left', 1));
      for (const release of releases) release();
    };
    reply.raw.once('close', leave);
    // The close event does not repeat for late listeners: the caller may have disconnected during authentication.
    if (reply.raw.destroyed) leave();

    /** Holds a permit until the response is closed, or releases it if the caller has disconnected. */
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
        // Held until the examination ends, even if the caller disconnects: the thread examines one body at a time.
        const examined = await examine().catch((error: unknown) => {
          release();
          throw error;
        });
        keep(release);
        return examined;
      },
    };
  }

  /** Returns the validated body of a request. */
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
