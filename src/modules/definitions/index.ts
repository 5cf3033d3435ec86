export { clientJson, inlinedClientJson, segmentsOf } from './client-feature.ts';
export { createEvaluators } from './evaluators.ts';
export { type EvaluationScope, featuresIn, isIn, scopeKey, scopeOf } from './scope.ts';
export type {
  Change,
  DefinedEnvironment,
  DefinedFeature,
  DefinedSegment,
  Snapshot,
} from './snapshot.ts';
export { type Definitions, definitionsOf } from './store.ts';
