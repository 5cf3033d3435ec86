import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { startDeadline } from '../deadline.ts';
import { interrupted, timedOut } from './failures.ts';
import type { OutgoingAnswer } from './outgoing.ts';

const longestBody = 64 * 1024;

/** A request that is ready to be sent. */
export interface PreparedRequest {
  readonly begin: () => ClientRequest;
  readonly body: string | undefined;
  /** Host and port, the only parts of the URL that messages may contain. */
  readonly where: string;
  /** Sends the request again on a new connection. */
  readonly again?: () => Promise<OutgoingAnswer>;
}

export interface Limits {
  readonly timeoutMs: number;
  /** The remaining part of `timeoutMs`. */
  readonly leftMs: number;
  /** Registers a callback for cancellation. Returns a function that unregisters it. */
  readonly whenInterrupted: (interrupt: () => void) => () => void;
}

/**
 * Sends one request. After the status has arrived, the response counts, with as much of the body as arrived.
 *
 * It is sent again, once, if it was sent on a keep-alive connection that the receiver was just closing. This uses
 * Node's own client and not undici, because a POST must not be sent twice to a receiver that may have begun to answer:
 * undici does not report which connection a request uses, so it is unknown whether a byte has arrived since.
 */
export const exchange = (
  { begin, body, where, again }: PreparedRequest,
  { timeoutMs, leftMs, whenInterrupted }: Limits,
): Promise<OutgoingAnswer> =>
  new Promise((resolve, reject) => {
    const request = begin();
    let socket: Socket | undefined;
    let readBefore = 0;
    let answer: Reading | undefined;

    let settled = false;
    const settle = (outcome: () => void) => {
      if (settled) return;
      settled = true;
      deadline.clear();
      forgetInterruption();
      outcome();
      // A connection is reusable if both sides are complete. Any other would be held for ever.
      if (!(answer?.incoming.complete && request.writableFinished)) request.destroy();
    };
    const conclude = ({ incoming, text }: Reading) =>
      settle(() =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: flatten(incoming.headers),
          body: text(),
        }),
      );

    const deadline = startDeadline(leftMs, () => {
      if (answer) conclude(answer);
      else settle(() => reject(timedOut(where, timeoutMs)));
    });
    const forgetInterruption = whenInterrupted(() => settle(() => reject(interrupted(where))));

    request.on('socket', (given) => {
      socket = given;
      readBefore = given.bytesRead;
    });
    request.on('response', (incoming) => {
      const reading = readBody(incoming, () => conclude(reading));
      answer = reading;
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (answer) return conclude(answer);
      const closedByPeer = error.code === 'ECONNRESET' || error.code === 'EPIPE';
      // The connection delivered a response before, and nothing since.
      const isStaleConnection = readBefore > 0 && socket?.bytesRead === readBefore;
      settle(() => (again && closedByPeer && isStaleConnection ? resolve(again()) : reject(error)));
    });
    request.on('close', () => {
      if (answer === undefined) settle(() => reject({ code: 'ECONNRESET' }));
    });
    request.end(body);
  });

interface Reading {
  readonly incoming: IncomingMessage;
  /** The body received so far. */
  readonly text: () => string;
}

/** Reads the body up to the limit, then calls `done`. */
const readBody = (incoming: IncomingMessage, done: () => void): Reading => {
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    if (size > longestBody) return;
    chunks.push(chunk);
    size += chunk.length;
    if (size > longestBody) done();
  });
  incoming.on('end', done);
  incoming.on('error', done);
  incoming.on('close', done);
  // Drops an incomplete character at the end.
  const text = () =>
    new StringDecoder('utf8').write(Buffer.concat(chunks).subarray(0, longestBody));
  return { incoming, text };
};

const flatten = (headers: IncomingHttpHeaders): Record<string, string> => {
  const flat: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
};
