import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badData, expectationFailed, requestTimeout, unavailable } from '../errors.ts';
import { errorBody } from './error-handler.ts';
import type { LargeBodies } from './large-bodies.ts';

/** How long a body may take to arrive. */
export interface ArrivalLimits {
  /** The limit for a body of the usual size. */
  readonly bodyMs: number;
  /** The limit for endpoints that allow larger bodies. */
  readonly largeBodyMs: number;
}

export const arrivalLimits: ArrivalLimits = { bodyMs: 60_000, largeBodyMs: 300_000 };

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
function limitArrival(payload: NodeJS.ReadableStream, reply: FastifyReply, limitMs: number): void {
  const timer = setTimeout(() => {
    reply.header('connection', 'close');
    payload.emit('error', requestTimeout());
  }, limitMs);
  const stop = () => clearTimeout(timer);
  payload.once('end', stop);
  payload.once('error', stop);
  reply.raw.once('close', stop);
}

/**
 * Closes a response when its connection closes. A pipelined response waiting behind another one has no socket yet and
 * gets no close event: streams and permits that wait for the event would be held for ever.
 */
function closeWithConnection({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): void {
  if (raw.socket !== null) return;
  const close = () => {
    raw.destroy();
    raw.emit('close');
  };
  socket.once('close', close);
  raw.once('close', () => socket.off('close', close));
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

/** Checks each request before it is routed, and limits its body before it is read. */
export function registerArrival(
  app: FastifyInstance,
  { stopping, limits, largeBodies }: ArrivalOptions,
): void {
  app.server.on('checkExpectation', answerExpectation);
  app.addHook('onRequest', (request, reply, done) => {
    closeWithConnection(request, reply);
    refuseWrongHost(request);
    if (stopping.aborted) throw unavailable('This server is stopping. Try again', 1);
    done();
  });
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    if (methods.every((method) => ['GET', 'HEAD', 'OPTIONS'].includes(method))) return;
    const isLarge = route.config?.endpoint?.bodyLimitBytes !== undefined;
    const limitMs = isLarge ? limits.largeBodyMs : limits.bodyMs;
    route.preParsing = (request, reply, payload, done) => {
      const { headers } = request;
      const begin = () => {
        if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) {
          limitArrival(payload, reply, limitMs);
        }
        done(null, payload);
      };
      if (isLarge) largeBodies.admit(request, reply).then(begin, done);
      else begin();
    };
  });
}
