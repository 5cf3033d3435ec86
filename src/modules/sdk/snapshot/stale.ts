import type { FastifyReply } from 'fastify';
import type { Definitions } from './store.ts';

/** How many seconds ago it was true what an answer tells, where it cannot be read what is true now. */
export const staleHeader = 'x-burgee-stale-seconds';

const staleSeconds = ({ isStale, ageSeconds }: Pick<Definitions, 'isStale' | 'ageSeconds'>) =>
  isStale() ? String(Math.round(ageSeconds() ?? 0)) : undefined;

/** Marks an answer that is given without the database. */
export function markStale(
  reply: FastifyReply,
  definitions: Pick<Definitions, 'isStale' | 'ageSeconds'>,
): FastifyReply {
  const seconds = staleSeconds(definitions);
  return seconds === undefined ? reply : reply.header(staleHeader, seconds);
}
