export {
  compile,
  createCompiler,
  createSteppedCompiler,
  type Decisions,
  type Evaluator,
} from './compile.ts';
export type {
  ConstraintDefinition,
  Context,
  Definition,
  EvaluatedVariant,
  Evaluation,
  FeatureDefinition,
} from './definition.ts';
export { compileExplainer, type Explanation, explain, explainerInSteps } from './explain.ts';
export type { Outcome, Reason } from './outcome.ts';
