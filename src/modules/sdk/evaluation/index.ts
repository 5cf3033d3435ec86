export type {
  ConstraintDefinition,
  Context,
  Definition,
  EvaluatedVariant,
  Evaluation,
  FeatureDefinition,
} from './definition.ts';
export { compile, createCompiler, type Evaluator } from './evaluator.ts';
export type { Explanation } from './explanation.ts';
export type { Outcome, Reason } from './outcome.ts';
export { instantOf, numberOf, versionOf } from './reading.ts';
