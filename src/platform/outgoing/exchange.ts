import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { interrupted, timedOut } from './failures.ts';
import type { OutgoingAnswer } from './outgoing.ts';

const longestBody = 64 * 1024;

/** One request on its way, ready to be begun. */
export interface PreparedRequest {
  readonly begin: () => ClientRequest;
  readonly body: string | undefined;
  /** Host and port: all that messages may say of the address. */
  readonly where: string;
  /** The same on a new connection. */
  readonly again?: () => Promise<OutgoingAnswer>;
}

export interface Limits {
  readonly timeoutMs: number;
  /** What is left of `timeoutMs`. */
  readonly leftMs: number;
  /** Calls back when the request is to be given up; returns how to take that back. */
  readonly whenInterrupted: (interrupt: () => void) => () => void;
}

/**
 * Sends one request. Once the status is there, the answer counts, however it ends: with as much of the body as came.
 *
 * It is sent again, once, when it was on a kept connection that the receiver was just closing. That is why this is
 * written with Node's own client and not with undici: a POST must not be sent twice to who may have begun to answer,
 * and undici does not say which connection a request is on, so nobody can tell whether a byte has come since.
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
      clearTimeout(timer);
      forgetInterruption();
      outcome();
      // What is complete on both sides leaves a connection for the next; anything else would hold it for ever.
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

    const timer = setTimeout(() => {
      if (answer) conclude(answer);
      else settle(() => reject(timedOut(where, timeoutMs)));
    }, leftMs);
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
      const closedUnderUs = error.code === 'ECONNRESET' || error.code === 'EPIPE';
      // It brought an answer before, and nothing since.
      const isStaleConnection = readBefore > 0 && socket?.bytesRead === readBefore;
      settle(() =>
        again && closedUnderUs && isStaleConnection ? resolve(again()) : reject(error),
      );
    });
    request.on('close', () => {
      if (answer === undefined) settle(() => reject({ code: 'ECONNRESET' }));
    });
    request.end(body);
  });

interface Reading {
  readonly incoming: IncomingMessage;
  /** What came so far. */
  readonly text: () => string;
}

/** Reads as much as anybody wants to know, and calls `done` then. */
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
  // Half a character at the cut is left out.
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
