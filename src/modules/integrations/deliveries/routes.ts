import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { deliveryEndpoints, recordEndpoints } from './checks.ts';
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

export function recordRoutes(app: FastifyInstance, services: Services): void {
  const { db, searchDb, readSnapshot, transact, clock, settings } = services;

  route(app, recordEndpoints.listRecords, async ({ params, parsed }, { actor, reply }) => {
    const found = await searchRecords(searchDb, actor, params.id, parsed.filter, parsed.page);
    const isWhole = typeof found === 'string';
    return sendJson(reply, isWhole ? found : Readable.from(found, { objectMode: false }));
  });

  route(app, recordEndpoints.getRecord, async ({ params }, { actor, reply }) =>
    sendJson(reply, await getRecord(db, actor, params.id, params.recordId)),
  );

  route(app, deliveryEndpoints.listDeliveries, ({ params, query, parsed }, { actor }) =>
    readSnapshot((snapshot) =>
      searchDeliveries(snapshot, actor, params.id, {
        filter: { ...parsed.filter, state: query.state },
        page: parsed.page,
        now: clock(),
      }),
    ),
  );

  route(app, deliveryEndpoints.redeliver, ({ params }, { actor }) =>
    transact(actor, (tx) => redeliver(tx, params.id, params.recordId)),
  );

  route(app, deliveryEndpoints.redeliverMany, ({ params, body, parsed }, { actor }) =>
    transact(actor, (tx) => redeliverMany(tx, params.id, body, parsed.filter)),
  );

  route(app, deliveryEndpoints.listRedeliveries, ({ params }, { actor }) =>
    searchRedeliveries(searchDb, actor, params.id, clock()),
  );

  route(app, deliveryEndpoints.pauseIntegration, ({ params }, { actor }) =>
    transact(actor, (tx) => pause(tx, settings, params.id)),
  );

  route(app, deliveryEndpoints.resumeIntegration, ({ params }, { actor }) =>
    transact(actor, (tx) => resume(tx, settings, params.id)),
  );

  route(app, deliveryEndpoints.getStatistics, ({ params, query }, { actor }) =>
    getStatistics(searchDb, actor, params.id, {
      hours: Number(query.hours ?? 24),
      now: clock(),
    }),
  );
}
