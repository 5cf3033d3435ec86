import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { recordContract as contract } from '../contract/records.ts';
import { parsePage, parseRecords } from './filter.ts';
import {
  getRecord,
  getStatistics,
  pause,
  redeliver,
  redeliverMany,
  resume,
  searchDeliveries,
  searchRecords,
} from './service.ts';
import { sendTest } from './test-send.ts';

/** What came from the database as JSON is sent as it is. */
const sendJson = (reply: FastifyReply, json: string | Readable) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(json);

export function recordRoutes(app: FastifyInstance, services: Services): void {
  const { db, searchDb, readSnapshot, transact, clock, settings, outgoing } = services;

  route(app, contract.listRecords, async ({ params, query }, { actor, reply }) => {
    const { filter, page } = parseRecords(query);
    const found = await searchRecords(searchDb, actor, params.id, filter, page);
    const isWhole = typeof found === 'string';
    return sendJson(reply, isWhole ? found : Readable.from(found, { objectMode: false }));
  });

  route(app, contract.getRecord, async ({ params }, { actor, reply }) =>
    sendJson(reply, await getRecord(db, actor, params.id, params.recordId)),
  );

  route(app, contract.listDeliveries, ({ params, query }, { actor }) =>
    readSnapshot((snapshot) =>
      searchDeliveries(snapshot, actor, params.id, {
        state: query.state,
        page: parsePage(query),
        now: clock(),
      }),
    ),
  );

  route(app, contract.redeliver, ({ params }, { actor }) =>
    transact(actor, (tx) => redeliver(tx, params.id, params.recordId)),
  );

  route(app, contract.redeliverMany, ({ params, body }, { actor }) =>
    transact(actor, (tx) => redeliverMany(tx, params.id, body)),
  );

  route(app, contract.testIntegration, ({ params }, { actor }) =>
    sendTest(db, actor, params.id, { settings, outgoing, clock }),
  );

  route(app, contract.pauseIntegration, ({ params }, { actor }) =>
    transact(actor, (tx) => pause(tx, settings, params.id)),
  );

  route(app, contract.resumeIntegration, ({ params }, { actor }) =>
    transact(actor, (tx) => resume(tx, settings, params.id)),
  );

  route(app, contract.getStatistics, ({ params, query }, { actor }) =>
    getStatistics(searchDb, actor, params.id, {
      hours: Number(query.hours ?? 24),
      now: clock(),
    }),
  );
}
