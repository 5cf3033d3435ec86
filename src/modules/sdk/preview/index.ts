export { previewDecisions } from './preview.ts';
export type { EvaluatedState } from './state.ts';
