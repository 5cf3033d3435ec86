export { compile, type Evaluator } from './compile.ts';
export type {
  ConstraintDefinition,
  Context,
  Definition,
  Evaluation,
  FeatureDefinition,
} from './definition.ts';
export { compileExplainer, type Explanation, explain } from './explain.ts';
