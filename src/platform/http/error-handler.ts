import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isDiskFull } from '../db/disk.ts';
import { busyReason, errorCodeOf, isOutage, loggableError } from '../db/outage.ts';
import {
  AppError,
  badData,
  contentTypeError,
  diskFull,
  headersTooLarge,
  internal,
  payloadTooLarge,
  requestTimeout,
  unavailable,
  unknownPath,
} from '../errors.ts';
import { isProbe } from './probes.ts';
import { shownPath } from './shown-path.ts';

/** Converts anything thrown into the error that the caller receives. */
function toAppError(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  const code = errorCodeOf(error);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return payloadTooLarge(request.routeOptions.bodyLimit);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return contentTypeError(request.headers['content-type']);
  }
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') {
    return badData([
      { path: '/body', message: "/body doesn't match the length in content-length" },
    ]);
  }
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return badData([
      { path: '/path', message: 'the path is badly encoded, or part of it is too long' },
    ]);
  }
  const status = (error as { statusCode?: number } | null)?.statusCode ?? 500;
  // For files of the documentation page: a path outside their folder, or an invalid name.
  if (status >= 400 && status < 500) return unknownPath(request.method, shownPath(request));
  if (code === '57014') {
    return unavailable('The database took too long. Request less data, or try again', 5, error);
  }
  if (isDiskFull(error)) return diskFull(error);
  const busy = busyReason(error);
  if (busy !== undefined) return unavailable(`Burgee is busy: ${busy}. Try again in a few seconds`);
  if (isOutage(error)) {
    return unavailable('The database cannot be reached. Try again later', 5, error);
  }
  return internal(error);
}

export const errorBody = ({ id, name, message, details, more }: AppError) => ({
  id,
  name,
  message,
  details,
  ...more,
});

/** How often an outage is logged in full. Other requests that fail because of it log a short line. */
const outageMs = 30_000;
let outageToldAt = Number.NEGATIVE_INFINITY;

function complain(error: AppError, request: FastifyRequest, { raw }: FastifyReply): void {
  const { id: errorId, message, cause } = error;
  const { id: reqId, log } = request;
  // A deliberate 503: no capacity, a full queue, or a stopping server. A stop and an outage are logged by themselves,
  // so a probe that finds out about them adds nothing. Nor does a caller who left while waiting.
  if (error.status === 503 && cause === undefined) {
    log[isProbe(request) || raw.destroyed ? 'debug' : 'warn']({ reqId, errorId }, message);
    return;
  }
  if (!isOutage(cause)) {
    log.error({ reqId, err: cause ?? error, errorId }, message);
    return;
  }
  const now = performance.now();
  if (now - outageToldAt > outageMs) {
    outageToldAt = now;
    log.error({ reqId, err: cause, errorId }, message);
  } else {
    log.warn({ reqId, errorId, ...loggableError(cause) }, message);
  }
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const appError = toAppError(error, request);
  request.errorId = appError.id;
  if (appError.status >= 500) complain(appError, request, reply);
  if (appError.retryAfterSeconds !== undefined)
    reply.header('retry-after', appError.retryAfterSeconds);
  reply.status(appError.status).header('content-type', 'application/json; charset=utf-8');
  reply.send(JSON.stringify(errorBody(appError)));
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The id of the error in this request's response, which its log line contains too. */
    errorId: string | null;
  }
}

export function registerErrorHandler(app: FastifyInstance): void {
  app.decorateRequest('errorId', null);
  app.setNotFoundHandler((request) => {
    throw unknownPath(request.method, shownPath(request));
  });
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
}

const clientErrors: Readonly<Record<string, () => AppError>> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout,
};

/**
 * Answers requests that Node's parser refuses. They never become a request, so the response is written to the socket.
 */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: NodeJS.WritableStream & { destroy(): void; writable: boolean },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const appError =
    clientErrors[error.code ?? '']?.() ?? badData([{ message: 'this is not an HTTP request' }]);
  const body = JSON.stringify(errorBody(appError));
  socket.end(
    `HTTP/1.1 ${appError.status} ${appError.name}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
