import { sendLongJson, streamJson, withList } from '../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { orPropose } from '../../../platform/permission.ts';
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
  routes: ({ db, readAt, transact }) => ({
    listSegments: async ({ query }, { actor, reply }) => {
      const at = await readAt(db, actor, query.asOf);
      return streamJson(reply, withList({}, 'segments', listSegmentsFor(at.db, actor)));
    },

    getSegment: async ({ params, query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return getSegmentFor(at.db, actor, params.id);
    },

    listSegmentStrategies: async ({ params, query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return { strategies: await listSegmentStrategiesFor(at.db, actor, params.id) };
    },

    listSegmentUses: ({ params }, { actor }) => listSegmentUsesFor(db, actor, params.id),

    listSegmentsOfStrategy: async ({ params }, { actor, reply }) =>
      sendLongJson(reply, {
        segments: await listSegmentsOfStrategyFor(db, actor, params.strategyId),
      }),

    createSegment: ({ body }, { actor }) => transact(actor, (tx) => createSegment(tx, body)),
    validateSegmentName: ({ body }) => validateName(db, body.name),
    updateSegment: ({ params, query, body }, { actor }) =>
      orPropose(actor, query, (by) => transact(by, (tx) => changeSegment(tx, params.id, body))),
    deleteSegment: ({ params, query }, { actor }) =>
      orPropose(actor, query, (by) => transact(by, (tx) => removeSegment(tx, params.id))),
  }),
});
