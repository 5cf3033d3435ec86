import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type AppError,
  badData,
  expectationFailed,
  requestTimeout,
  unavailable,
} from '../errors.ts';
import { errorBody } from './error-handler.ts';
import { type LargeBodies, smallBytes, usualBytes } from './large-bodies.ts';
import { leaving } from './leaving.ts';

/** How long a body may take to arrive. */
export interface ArrivalLimits {
  /** The limit for a body of the usual size. */
  readonly bodyMs: number;
  /** The limit for endpoints that allow larger bodies. */
  readonly largeBodyMs: number;
  /** A body that holds a permit has to go on within this time. */
  readonly progressMs: number;
}

export const arrivalLimits: ArrivalLimits = {
  bodyMs: 60_000,
  largeBodyMs: 300_000,
  progressMs: 10_000,
};

/** How many bytes have to arrive within `progressMs`. At 8 kB a second, 2 MiB take as long as a large body may. */
const progressBytes = 80_000;

/** Node answers these requests itself, without our error format, unless configured to pass them on. */
export const nodeOptions = {
  requireHostHeader: false,
  // Joins two Host headers to `a, b`, which is not a valid host. Node would silently use the first.
  joinDuplicateHeaders: true,
};

function refuseWrongHost({ raw }: FastifyRequest): void {
  const { host } = raw.headers;
  if (host === undefined && raw.httpVersion === '1.1') {
    throw badData([{ message: 'the request has no Host header' }]);
  }
  if (host?.includes(',')) throw badData([{ message: 'the request has several Host headers' }]);
}

/** Aborts a body that arrives too slowly: one byte every two seconds would hold its connection for ever. */
function limitArrival(
  payload: NodeJS.ReadableStream,
  reply: FastifyReply,
  limitMs: number,
): Arrival {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const abort = (error: AppError) => {
    // No one listens any more, and Node ends the process for an error that no one listens to. What is left is discarded.
    if (isOver) {
      payload.resume();
      return;
    }
    reply.header('connection', 'close');
    payload.emit('error', error);
  };
  const stopTimer = () => clearTimeout(timer);
  const startTimer = () => {
    stopTimer();
    if (!isOver) timer = setTimeout(() => abort(requestTimeout()), limitMs);
  };
  const stop = () => {
    isOver = true;
    stopTimer();
  };
  startTimer();
  payload.once('end', stop);
  payload.once('error', stop);
  leaving(reply).addEventListener('abort', stop, { once: true });
  return { abort, startTimer, stopTimer };
}

type Abort = (error: AppError) => void;

interface Arrival {
  readonly abort: Abort;
  readonly startTimer: () => void;
  readonly stopTimer: () => void;
}

/** Aborts a body that holds a permit, for which others wait, and hardly arrives. */
function demandProgress(
  payload: NodeJS.ReadableStream,
  reply: FastifyReply,
  { abort, everyMs }: { readonly abort: Abort; readonly everyMs: number },
): void {
  let received = 0;
  const count = (chunk: Buffer) => {
    received += chunk.length;
  };
  const timer = setInterval(() => {
    if (received < progressBytes) abort(requestTimeout());
    received = 0;
  }, everyMs);
  const stop = () => {
    clearInterval(timer);
    payload.off('data', count);
  };
  payload.on('data', count);
  payload.once('end', stop);
  payload.once('error', stop);
  leaving(reply).addEventListener('abort', stop, { once: true });
}

/** Pauses a body when it is no longer small, until it gets a permit. Its time begins again then. */
function waitForPermit(
  payload: NodeJS.ReadableStream,
  acquire: () => Promise<void>,
  { abort, startTimer, stopTimer }: Arrival,
  goOn: () => void,
): void {
  let received = 0;
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (received <= smallBytes) return;
    payload.off('data', count);
    payload.pause();
    stopTimer();
    acquire().then(() => {
      startTimer();
      goOn();
      payload.resume();
    }, abort);
  };
  payload.on('data', count);
}

function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify(errorBody(expectationFailed()));
  response.writeHead(417, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.end(body);
}

interface ArrivalOptions {
  readonly stopping: AbortSignal;
  readonly limits: ArrivalLimits;
  readonly largeBodies: LargeBodies;
}

export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** Checks each request before it is routed, and limits its body before it is read. */
export function registerArrival(
  app: FastifyInstance,
  { stopping, limits, largeBodies }: ArrivalOptions,
): void {
  app.server.on('checkExpectation', answerExpectation);
  app.addHook('onRequest', (request, _reply, done) => {
    refuseWrongHost(request);
    if (stopping.aborted) throw unavailable('This server is stopping. Try again', 1);
    done();
  });
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    if (methods.every((method) => ['GET', 'HEAD', 'OPTIONS'].includes(method))) return;
    const isLarge = (route.bodyLimit ?? 0) > usualBytes;
    const mayGrow = (route.bodyLimit ?? usualBytes) > smallBytes;
    const limitMs = isLarge ? limits.largeBodyMs : limits.bodyMs;
    route.preParsing = (request, reply, payload, done) => {
      if (!hasBody(request)) {
        done(null, payload);
        return;
      }
      const begin = (permit: 'permit' | 'none') => {
        const arrival = limitArrival(payload, reply, limitMs);
        const { abort } = arrival;
        const goOn = () => demandProgress(payload, reply, { abort, everyMs: limits.progressMs });
        if (permit === 'permit') goOn();
        else if (mayGrow) {
          waitForPermit(payload, () => largeBodies.admitGrown(request, reply), arrival, goOn);
        }
        done(null, payload);
      };
      if (isLarge) largeBodies.admit(request, reply).then(begin, done);
      else begin('none');
    };
  });
}
