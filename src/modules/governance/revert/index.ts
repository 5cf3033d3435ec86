import { defineModule } from '../../../platform/module.ts';
import { revertUseCase } from './routes.ts';

export { maxEvents as maxRevertedEvents } from './contract.ts';
export { revertSelected } from './service.ts';

/** Takes back what events changed (ADR 42). */
export const revert = defineModule({ name: 'revert', useCases: [revertUseCase] });
