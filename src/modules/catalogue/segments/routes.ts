import type { FastifyInstance } from 'fastify';
import { sendLongJson, streamJson, withList } from '../../../platform/http/long-json.ts';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { endpoints } from './checks.ts';
import {
  changeSegment,
  createSegment,
  getSegmentFor,
  listSegmentStrategiesFor,
  listSegmentsFor,
  listSegmentsOfStrategyFor,
  listSegmentUsesFor,
  removeSegment,
  validateName,
} from './service.ts';

export function segmentRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, endpoints.listSegments, (_input, { actor, reply }) =>
    streamJson(reply, withList({}, 'segments', listSegmentsFor(db, actor))),
  );

  route(app, endpoints.getSegment, ({ params }, { actor }) => getSegmentFor(db, actor, params.id));

  route(app, endpoints.listSegmentStrategies, async ({ params }, { actor }) => ({
    strategies: await listSegmentStrategiesFor(db, actor, params.id),
  }));

  route(app, endpoints.listSegmentUses, ({ params }, { actor }) =>
    listSegmentUsesFor(db, actor, params.id),
  );

  route(app, endpoints.listSegmentsOfStrategy, async ({ params }, { actor, reply }) =>
    sendLongJson(reply, {
      segments: await listSegmentsOfStrategyFor(db, actor, params.strategyId),
    }),
  );

  route(app, endpoints.createSegment, ({ body }, { actor }) =>
    transact(actor, (tx) => createSegment(tx, body)),
  );

  route(app, endpoints.validateSegmentName, ({ body }) => validateName(db, body.name));

  route(app, endpoints.updateSegment, ({ params, body }, { actor }) =>
    transact(actor, (tx) => changeSegment(tx, params.id, body)),
  );

  route(app, endpoints.deleteSegment, ({ params }, { actor }) =>
    transact(actor, (tx) => removeSegment(tx, params.id)),
  );
}
