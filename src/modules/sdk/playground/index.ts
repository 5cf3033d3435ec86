import { defineModule } from '../../../platform/module.ts';
import { playgroundUseCase } from './routes.ts';

export {
  combinations,
  contextFaults,
  contextOf,
  type FlatContext,
  readContext,
} from './context.ts';
export { sendPieces } from './routes.ts';
export { evaluateAll } from './service.ts';
export { decisionWords } from './wording.ts';

export const playground = defineModule({
  name: 'playground',
  useCases: [playgroundUseCase],
});
