export { readSnapshotAsOf, readSnapshotWithPast } from './as-of.ts';
export { changesBetween } from './changes.ts';
export {
  clientJson,
  clientText,
  inlinedClientJson,
  segmentsOf,
  segmentText,
} from './client-feature.ts';
export type { Definitions } from './definitions.ts';
export { createEvaluators } from './evaluators.ts';
export { createPublished } from './published.ts';
export { readDefinitions, readWithin } from './read.ts';
export { type EvaluationScope, featuresIn, scopeOf } from './scope.ts';
export type {
  Change,
  DefinedEnvironment,
  DefinedFeature,
  DefinedSegment,
  Snapshot,
} from './snapshot.ts';
export { markStale, staleHeader, staleSeconds } from './stale.ts';
export { createDefinitions } from './store.ts';
