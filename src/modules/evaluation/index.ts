export { compile, type Evaluator } from './compile.ts';
export type { Context, Definition, Evaluation } from './definition.ts';
export { compileExplainer, type Explanation, explain } from './explain.ts';
