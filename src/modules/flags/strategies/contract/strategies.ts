import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { JsonPatchSchema } from '../../../../platform/contract/json-patch.ts';
import { named, sortOrder } from '../../../../platform/contract/schema.ts';
import {
  SetStrategySchema,
  setStrategyShape,
} from '../../../catalogue/strategy-types/strategy-schema.ts';
import { StrategySchema } from '../../features/feature-schema.ts';

const tag = 'Strategies';
const scope = 'projectId';

/** More than an SDK should evaluate for one feature. */
export const maxStrategies = 30;

const place = {
  projectId: Type.String(),
  featureName: Type.String(),
  environment: Type.String(),
};
const params = Type.Object(place);
const strategyParams = Type.Object({ ...place, strategyId: Type.String() });
const root = '/api/admin/projects/:projectId/features/:featureName/environments/:environment';

/** The type may be left out of a replacement: it stays as it is. */
const ReplaceStrategySchema = named(
  'updateFeatureStrategySchema',
  Type.Object({
    ...setStrategyShape,
    name: Type.Optional(setStrategyShape.name),
  }),
);
export type ReplaceStrategy = Static<typeof ReplaceStrategySchema>;

const SetSortOrderSchema = named(
  'setStrategySortOrderSchema',
  Type.Array(Type.Object({ id: Type.String(), sortOrder }), {
    maxItems: 100,
  }),
);

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

export const strategyContract = {
  listFeatureStrategies: endpoint({
    method: 'GET',
    path: `${root}/strategies`,
    id: 'getFeatureStrategies',
    tag,
    summary: 'List the strategies of a feature in an environment',
    permission: 'none',
    scope,
    params,
    response: Type.Array(StrategySchema),
  }),

  addFeatureStrategy: endpoint({
    method: 'POST',
    path: `${root}/strategies`,
    id: 'addFeatureStrategy',
    tag,
    summary: 'Add a strategy to a feature in an environment',
    description: `An environment can have at most ${maxStrategies} strategies. Without a sortOrder, the strategy becomes the last one. A gradual rollout gets defaults for omitted rollout, stickiness and groupId.`,
    permission: 'CREATE_FEATURE_STRATEGY',
    scope,
    params,
    body: SetStrategySchema,
    response: StrategySchema,
  }),

  setStrategySortOrder: endpoint({
    method: 'POST',
    path: `${root}/strategies/set-sort-order`,
    id: 'setStrategySortOrder',
    tag,
    summary: "Set the sort order of a feature's strategies",
    permission: 'UPDATE_FEATURE_STRATEGY',
    scope,
    params,
    body: SetSortOrderSchema,
  }),

  getFeatureStrategy: endpoint({
    method: 'GET',
    path: `${root}/strategies/:strategyId`,
    id: 'getFeatureStrategy',
    tag,
    summary: 'Get a strategy of a feature',
    permission: 'none',
    scope,
    params: strategyParams,
    response: StrategySchema,
  }),

  updateFeatureStrategy: endpoint({
    method: 'PUT',
    path: `${root}/strategies/:strategyId`,
    id: 'updateFeatureStrategy',
    tag,
    summary: 'Update a strategy of a feature',
    description:
      'Omitted name, title, disabled, parameters (of the same type), segments and sortOrder stay unchanged; omitted constraints and variants are removed. If the last enabled strategy is disabled, the feature is disabled.',
    permission: 'UPDATE_FEATURE_STRATEGY',
    scope,
    params: strategyParams,
    body: ReplaceStrategySchema,
    response: StrategySchema,
  }),

  patchFeatureStrategy: endpoint({
    method: 'PATCH',
    path: `${root}/strategies/:strategyId`,
    id: 'patchFeatureStrategy',
    tag,
    summary: 'Update a strategy of a feature with a JSON Patch',
    description: 'If the last enabled strategy is disabled, the feature is disabled.',
    permission: 'UPDATE_FEATURE_STRATEGY',
    scope,
    params: strategyParams,
    body: named('patchesSchema', JsonPatchSchema),
    response: StrategySchema,
  }),

  deleteFeatureStrategy: endpoint({
    method: 'DELETE',
    path: `${root}/strategies/:strategyId`,
    id: 'deleteFeatureStrategy',
    tag,
    summary: 'Delete a strategy of a feature',
    description: 'If the last enabled strategy is deleted, the feature is disabled.',
    permission: 'DELETE_FEATURE_STRATEGY',
    scope,
    params: strategyParams,
  }),

  setStrategySegments: endpoint({
    method: 'POST',
    path: '/api/admin/segments/strategies',
    id: 'updateFeatureStrategySegments',
    tag: 'Segments',
    summary: 'Set the segments of a strategy',
    permission: 'UPDATE_FEATURE_STRATEGY',
    demandedByService: true,
    body: SetSegmentsSchema,
    response: SetSegmentsSchema,
    status: 201,
  }),
};
