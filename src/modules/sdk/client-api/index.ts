import { defineModule } from '../../../platform/module.ts';
import { clientFeaturesAsOfUseCase } from './as-of/routes.ts';
import { clientApiUseCase } from './routes.ts';

export { createSdkTokens } from './stored-tokens.ts';

/** The API of server-side SDKs. */
export const clientApi = defineModule({
  name: 'client-api',
  useCases: [clientApiUseCase, clientFeaturesAsOfUseCase],
});
