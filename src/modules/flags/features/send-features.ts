import type { FastifyReply } from 'fastify';
import { sendReadyJson } from '../../../platform/http/long-json.ts';

/** Features that are JSON already, with the other properties of the response. */
export const sendFeatures = (reply: FastifyReply, features: string, rest: object) =>
  sendReadyJson(reply, `{"features":[${features}],${JSON.stringify(rest).slice(1)}`);

/** The shape of the lists, as clients of the reference product expect it. */
export const listed = { version: 2 };
