import type { FastifyReply } from 'fastify';
import { type Pieces, streamJson, withList } from '../../../platform/http/long-json.ts';

/** The shape of the lists, as clients of the reference product expect it. */
const listed = { version: 2 };

/** Sends a list of features, each of which is JSON already. */
export const sendFeatures = (reply: FastifyReply, features: Pieces) =>
  streamJson(reply, withList(listed, 'features', features));
