import type { FastifyReply } from 'fastify';
import type { Definitions } from './definitions.ts';

/** How old the data of a response is, in seconds, while its source cannot be read. */
export const staleHeader = 'x-burgee-stale-seconds';

/** Undefined while the data is current. */
export const staleSeconds = ({
  isStale,
  ageSeconds,
}: Pick<Definitions, 'isStale' | 'ageSeconds'>) =>
  isStale() ? String(Math.round(ageSeconds() ?? 0)) : undefined;

/** Marks a response that was made while its source could not be read. */
export function markStale(
  reply: FastifyReply,
  definitions: Pick<Definitions, 'isStale' | 'ageSeconds'>,
): FastifyReply {
  const seconds = staleSeconds(definitions);
  return seconds === undefined ? reply : reply.header(staleHeader, seconds);
}
