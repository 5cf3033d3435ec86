import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from '../../../platform/errors.ts';

/** The error code of OpenFeature. */
function codeOf(status: number, key: string | undefined, faults: readonly Fault[]): string {
  if (status === 404 && key !== undefined) return 'FLAG_NOT_FOUND';
  if (status !== 400) return 'GENERAL';
  const inContext = faults.some(({ path }) => path?.startsWith('/body/context'));
  return inContext ? 'INVALID_CONTEXT' : 'PARSE_ERROR';
}

/** An error in Burgee's format, with the fields that OpenFeature providers need. */
export function withFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): unknown {
  if (reply.statusCode < 400 || typeof payload !== 'string') return payload;
  const error = JSON.parse(payload) as { message: string; details: Fault[] };
  const { key } = (request.params ?? {}) as { key?: string };
  return JSON.stringify({
    ...(key !== undefined && { key }),
    errorCode: codeOf(reply.statusCode, key, error.details),
    errorDetails: error.message,
    ...error,
  });
}
