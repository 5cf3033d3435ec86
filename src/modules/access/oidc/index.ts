import { defineModule } from '../../../platform/module.ts';
import { oidcUseCase } from './routes.ts';

export { restoreOidcSettings } from './service.ts';

export const oidc = defineModule({ name: 'oidc', useCases: [oidcUseCase] });
