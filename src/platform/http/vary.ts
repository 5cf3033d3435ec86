import type { FastifyReply } from 'fastify';

/** Adds a request header to those on which the response depends. */
export function addVary(reply: FastifyReply, name: string): void {
  const names = String(reply.getHeader('vary') ?? '')
    .split(', ')
    .filter(Boolean);
  if (!names.includes(name)) reply.header('vary', [...names, name].join(', '));
}
