import type { FastifyReply } from 'fastify';
import { streamJson } from '../../../platform/http/long-json.ts';
import type { Pieces } from './service.ts';

/** Explanations are never cached: they name what the caller may see now. */
export const sendPieces = (reply: FastifyReply, pieces: Pieces) =>
  streamJson(reply.header('cache-control', 'no-store'), pieces);
