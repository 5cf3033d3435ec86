export { previewDecisions } from './preview.ts';
export { type EvaluatedState, visibleState } from './state.ts';
