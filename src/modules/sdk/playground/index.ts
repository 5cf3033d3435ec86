import { defineModule } from '../../../platform/module.ts';
import { playgroundUseCase } from './routes.ts';

export const playground = defineModule({
  name: 'playground',
  useCases: [playgroundUseCase],
});
