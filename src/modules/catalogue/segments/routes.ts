import { sendLongJson, streamJson, withList } from '../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { checks } from './checks.ts';
import { contract } from './contract.ts';
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

export const segmentUseCase = defineUseCase({
  contract,
  checks,
  routes: ({ db, transact }) => ({
    listSegments: (_input, { actor, reply }) =>
      streamJson(reply, withList({}, 'segments', listSegmentsFor(db, actor))),
    getSegment: ({ params }, { actor }) => getSegmentFor(db, actor, params.id),
    listSegmentStrategies: async ({ params }, { actor }) => ({
      strategies: await listSegmentStrategiesFor(db, actor, params.id),
    }),
    listSegmentUses: ({ params }, { actor }) => listSegmentUsesFor(db, actor, params.id),

    listSegmentsOfStrategy: async ({ params }, { actor, reply }) =>
      sendLongJson(reply, {
        segments: await listSegmentsOfStrategyFor(db, actor, params.strategyId),
      }),

    createSegment: ({ body }, { actor }) => transact(actor, (tx) => createSegment(tx, body)),
    validateSegmentName: ({ body }) => validateName(db, body.name),
    updateSegment: ({ params, body }, { actor }) =>
      transact(actor, (tx) => changeSegment(tx, params.id, body)),
    deleteSegment: ({ params }, { actor }) => transact(actor, (tx) => removeSegment(tx, params.id)),
  }),
});
