import { defineModule } from '../../../platform/module.ts';
import { playgroundUseCase } from './routes.ts';

export { sendPieces } from './routes.ts';
export { evaluateAll } from './service.ts';

export const playground = defineModule({
  name: 'playground',
  useCases: [playgroundUseCase],
});
