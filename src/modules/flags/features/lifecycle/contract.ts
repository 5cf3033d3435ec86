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
  status: Type.Optional(Type.String({ description: 'For a completed feature: kept or discarded' })),
});

const EnteredStageSchema = Type.Object({
  ...LifecycleSchema.properties,
  statusValue: Type.Optional(
    Type.String({ description: 'For a completed feature: the variant that was kept' }),
  ),
});
export type EnteredStage = Static<typeof EnteredStageSchema>;

const CompletionSchema = named(
  'featureLifecycleCompletedSchema',
  Type.Object({
    status: oneOf(
      ['kept', 'discarded'],
      'Whether the change behind the feature was kept or discarded',
    ),
    statusValue: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Name of the variant that was kept',
      }),
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
    summary: 'List the lifecycle stages of a feature in order',
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
    summary: 'Mark a feature as completed',
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
    summary: 'Mark a feature as not completed',
    permission: 'UPDATE_FEATURE',
    scope,
    params: featureParams,
  }),

  countStages: endpoint({
    method: 'GET',
    path: '/api/admin/lifecycle/count',
    id: 'getFeatureLifecycleCount',
    tag,
    summary: 'Count features by lifecycle stage',
    permission: 'none',
    response: StageCountsSchema,
  }),
};
