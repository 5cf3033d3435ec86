import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { defineUseCase } from '../../../platform/module.ts';
import { deliveryChecks, recordChecks } from './checks.ts';
import { recordContract } from './contract.ts';
import { deliveryContract } from './deliveries-contract.ts';
import {
  getRecord,
  getStatistics,
  pause,
  redeliver,
  redeliverMany,
  resume,
  searchDeliveries,
  searchRecords,
  searchRedeliveries,
} from './service.ts';

/** Sends JSON from the database as it is. */
const sendJson = (reply: FastifyReply, json: string | Readable) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(json);

export const recordUseCase = defineUseCase({
  contract: { ...recordContract, ...deliveryContract },
  checks: { ...recordChecks, ...deliveryChecks },
  routes: (services) => {
    const { db, searchDb, readSnapshot, transact, clock, settings } = services;

    return {
      listRecords: async ({ params, parsed }, { actor, reply }) => {
        const found = await searchRecords(searchDb, actor, params.id, parsed.filter, parsed.page);
        const isWhole = typeof found === 'string';
        return sendJson(reply, isWhole ? found : Readable.from(found, { objectMode: false }));
      },

      getRecord: async ({ params }, { actor, reply }) =>
        sendJson(reply, await getRecord(db, actor, params.id, params.recordId)),

      listDeliveries: ({ params, query, parsed }, { actor }) =>
        readSnapshot((snapshot) =>
          searchDeliveries(snapshot, actor, params.id, {
            filter: { ...parsed.filter, state: query.state },
            page: parsed.page,
            now: clock(),
          }),
        ),

      redeliver: ({ params }, { actor }) =>
        transact(actor, (tx) => redeliver(tx, params.id, params.recordId)),
      redeliverMany: ({ params, body, parsed }, { actor }) =>
        transact(actor, (tx) => redeliverMany(tx, params.id, body, parsed.filter)),
      listRedeliveries: ({ params }, { actor }) =>
        searchRedeliveries(searchDb, actor, params.id, clock()),
      pauseIntegration: ({ params }, { actor }) =>
        transact(actor, (tx) => pause(tx, settings, params.id)),
      resumeIntegration: ({ params }, { actor }) =>
        transact(actor, (tx) => resume(tx, settings, params.id)),

      getStatistics: ({ params, query }, { actor }) =>
        getStatistics(searchDb, actor, params.id, {
          hours: Number(query.hours ?? 24),
          now: clock(),
        }),
    };
  },
});
