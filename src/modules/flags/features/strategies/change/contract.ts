import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../../platform/contract/endpoint.ts';
import { JsonPatchSchema } from '../../../../../platform/contract/json-patch.ts';
import { named } from '../../../../../platform/contract/schema.ts';
import { setStrategyShape } from '../../../../catalogue/strategy-types/strategy-schema.ts';
import { scope, strategyParams, strategyPath } from '../../address-schema.ts';
import { StrategySchema } from '../../feature-schema.ts';

const tag = 'Strategies';

/** A replacement without a type keeps the type of the strategy. */
const ReplaceStrategySchema = named(
  'updateFeatureStrategySchema',
  Type.Object({
    ...setStrategyShape,
    name: Type.Optional(setStrategyShape.name),
  }),
);
export type ReplaceStrategy = Static<typeof ReplaceStrategySchema>;

const SetSegmentsSchema = named(
  'updateFeatureStrategySegmentsSchema',
  Type.Object({
    projectId: Type.String(),
    strategyId: Type.String(),
    environmentId: Type.String({ description: 'Name of the environment' }),
    segmentIds: Type.Array(setStrategyShape.segments.items, { maxItems: 20 }),
  }),
);
export type SetSegments = Static<typeof SetSegmentsSchema>;

export const contract = {
  updateFeatureStrategy: endpoint({
    method: 'PUT',
    path: strategyPath,
    id: 'updateFeatureStrategy',
    proposable: true,
    tag,
    summary: 'Update a strategy of a feature',
    description:
      'Omitted name, title, disabled, parameters (of the same type), segments, and sortOrder stay unchanged; omitted constraints and variants are removed. If the last enabled strategy is disabled, the feature is disabled.',
    permission: 'UPDATE_FEATURE_STRATEGY',
    scope,
    params: strategyParams,
    body: ReplaceStrategySchema,
    response: StrategySchema,
  }),

  patchFeatureStrategy: endpoint({
    method: 'PATCH',
    path: strategyPath,
    id: 'patchFeatureStrategy',
    proposable: true,
    tag,
    summary: 'Update a strategy of a feature with a JSON Patch',
    description: 'If the last enabled strategy is disabled, the feature is disabled.',
    permission: 'UPDATE_FEATURE_STRATEGY',
    scope,
    params: strategyParams,
    body: named('patchesSchema', JsonPatchSchema),
    response: StrategySchema,
  }),

  setStrategySegments: endpoint({
    method: 'POST',
    path: '/api/admin/segments/strategies',
    id: 'updateFeatureStrategySegments',
    proposable: true,
    tag: 'Segments',
    summary: 'Set the segments of a strategy',
    permission: 'UPDATE_FEATURE_STRATEGY',
    demandedByService: true,
    body: SetSegmentsSchema,
    response: SetSegmentsSchema,
    status: 201,
  }),
};
