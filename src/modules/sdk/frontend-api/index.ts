import { defineModule } from '../../../platform/module.ts';
import { frontendApiUseCase } from './routes.ts';

export { requestIn, unlessEmpty } from './context.ts';
export { allowOrigins, crossOrigin } from './cross-origin.ts';
export { createFindEvaluator, evaluationFor } from './evaluation.ts';
export { createOrigins } from './origins.ts';
export { createDecisionRenderer } from './rendered-decisions.ts';
export { createToggleDecisions } from './routes.ts';

/** The API of frontend SDKs: evaluated features. */
export const frontendApi = defineModule({
  name: 'frontend-api',
  useCases: [frontendApiUseCase],
});
