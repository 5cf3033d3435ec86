import { defineModule } from '../../../platform/module.ts';
import { decisionsUseCase } from './decisions/routes.ts';
import { evaluateUseCase } from './routes.ts';
import { unsavedUseCase } from './unsaved/routes.ts';

export {
  combinations,
  contextFaults,
  contextOf,
  type FlatContext,
  readContext,
} from './context.ts';
export { sendPieces } from './send-pieces.ts';
export { evaluateAll } from './service.ts';
export { decisionWords } from './wording.ts';

export const playground = defineModule({
  name: 'playground',
  useCases: [decisionsUseCase, unsavedUseCase, evaluateUseCase],
});
