import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { instant, named, oneOf } from '../../../../platform/contract/schema.ts';
import { featureParams, featurePath, scope } from '../address-schema.ts';

const tag = 'Features';

/** In their order. */
export const stages = ['initial', 'pre-live', 'live', 'completed', 'archived'] as const;
export type Stage = (typeof stages)[number];

/** The current stage of a feature (section 2.6). */
export const LifecycleSchema = Type.Object({
  stage: oneOf(stages),
  enteredStageAt: instant,
  status: Type.Optional(Type.String({ description: 'Of a completed feature: kept or discarded' })),
});

const EnteredStageSchema = Type.Object({
  ...LifecycleSchema.properties,
  statusValue: Type.Optional(
    Type.String({ description: 'Of a completed feature: the variant that was kept' }),
  ),
});
export type EnteredStage = Static<typeof EnteredStageSchema>;

const CompletionSchema = named(
  'featureLifecycleCompletedSchema',
  Type.Object({
    status: oneOf(['kept', 'discarded'], 'What became of what the feature switched'),
    statusValue: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'The variant that was kept' }),
    ),
  }),
);
export type Completion = Static<typeof CompletionSchema>;

const count = Type.Integer();
const StageCountsSchema = Type.Object({
  initial: count,
  preLive: count,
  live: count,
  completed: count,
  archived: count,
});
export type StageCounts = Static<typeof StageCountsSchema>;

export const lifecycleContract = {
  getLifecycle: endpoint({
    method: 'GET',
    path: `${featurePath}/lifecycle`,
    id: 'getFeatureLifecycle',
    tag,
    summary: 'The stages that a feature has entered, in their order',
    permission: 'none',
    scope,
    params: featureParams,
    response: named('featureLifecycleSchema', Type.Array(EnteredStageSchema)),
  }),

  completeFeature: endpoint({
    method: 'POST',
    path: `${featurePath}/lifecycle/complete`,
    id: 'complete',
    tag,
    summary: 'Say that a feature has served its purpose, and what became of it',
    permission: 'UPDATE_FEATURE',
    scope,
    params: featureParams,
    body: CompletionSchema,
  }),

  uncompleteFeature: endpoint({
    method: 'POST',
    path: `${featurePath}/lifecycle/uncomplete`,
    id: 'uncomplete',
    tag,
    summary: 'Take back that a feature has served its purpose',
    permission: 'UPDATE_FEATURE',
    scope,
    params: featureParams,
  }),

  countStages: endpoint({
    method: 'GET',
    path: '/api/admin/lifecycle/count',
    id: 'getFeatureLifecycleCount',
    tag,
    summary: 'How many features of the living projects that you may see stand at each stage',
    permission: 'none',
    response: StageCountsSchema,
  }),
};
