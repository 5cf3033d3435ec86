export { compile, type Evaluator, type Sources } from './compile.ts';
export type { Context, Definition, EvaluatedVariant, Evaluation } from './definition.ts';
export { compileExplainer, type Explainer, type Explanation, explain } from './explain.ts';
