import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { contract } from './contract.ts';
import {
  changeSegment,
  createSegment,
  getSegmentFor,
  listSegmentStrategiesFor,
  listSegmentsFor,
  listSegmentsOfStrategyFor,
  removeSegment,
  validateName,
} from './service.ts';

export function segmentRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, contract.listSegments, async (_input, { actor }) => ({
    segments: await listSegmentsFor(db, actor),
  }));

  route(app, contract.getSegment, ({ params }, { actor }) => getSegmentFor(db, actor, params.id));

  route(app, contract.listSegmentStrategies, async ({ params }, { actor }) => ({
    strategies: await listSegmentStrategiesFor(db, actor, params.id),
  }));

  route(app, contract.listSegmentsOfStrategy, async ({ params }, { actor }) => ({
    segments: await listSegmentsOfStrategyFor(db, actor, params.strategyId),
  }));

  route(app, contract.createSegment, ({ body }, { actor }) =>
    transact(actor, (tx) => createSegment(tx, body)),
  );

  route(app, contract.validateSegmentName, ({ body }) => validateName(db, body.name));

  route(app, contract.updateSegment, ({ params, body }, { actor }) =>
    transact(actor, (tx) => changeSegment(tx, params.id, body)),
  );

  route(app, contract.deleteSegment, ({ params }, { actor }) =>
    transact(actor, (tx) => removeSegment(tx, params.id)),
  );
}
