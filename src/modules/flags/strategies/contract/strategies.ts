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
    environmentId: Type.String({ description: 'The name of the environment' }),
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
    summary: 'The strategies of a feature in an environment, in their order',
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
    description: `At most ${maxStrategies} in an environment. Without a sortOrder it is the last one. A gradual rollout gets what it leaves out of rollout, stickiness and groupId.`,
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
    summary: 'Place several strategies of a feature at once',
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
    summary: 'One strategy of a feature',
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
    summary: 'Replace a strategy of a feature',
    description:
      'Name, title, disabled, parameters (of the same type), segments and sortOrder stay as they are when they are left out; constraints and variants are unset then. A feature whose last enabled strategy is disabled is switched off.',
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
    summary: 'Change parts of a strategy of a feature',
    description: 'A feature whose last enabled strategy is disabled is switched off.',
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
    summary: 'Remove a strategy from a feature',
    description: 'A feature whose last enabled strategy is removed is switched off.',
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
