import type { FastifyReply } from 'fastify';
import type { Definitions } from './store.ts';

/** How old the data of a response is, in seconds, while the database cannot be read. */
export const staleHeader = 'x-burgee-stale-seconds';

const staleSeconds = ({ isStale, ageSeconds }: Pick<Definitions, 'isStale' | 'ageSeconds'>) =>
  isStale() ? String(Math.round(ageSeconds() ?? 0)) : undefined;

/** Marks a response that was made without the database. */
export function markStale(
  reply: FastifyReply,
  definitions: Pick<Definitions, 'isStale' | 'ageSeconds'>,
): FastifyReply {
  const seconds = staleSeconds(definitions);
  return seconds === undefined ? reply : reply.header(staleHeader, seconds);
}
