import { defineModule } from '../../../platform/module.ts';
import { contract } from './contract.ts';
import { frontendApiRoutes } from './routes.ts';

export { askedIn, contextSchema, unlessEmpty } from './context.ts';
export { crossOrigin } from './cross-origin.ts';
export { evaluationFor } from './evaluation.ts';
export { createReadyTexts } from './ready-texts.ts';

/** Decisions for programs in the hands of their users. */
export const frontendApi = defineModule({
  name: 'frontend-api',
  contract,
  routes: frontendApiRoutes,
});
