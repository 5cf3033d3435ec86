import { defineModule } from '../../../platform/module.ts';
import { ofrepUseCase } from './routes.ts';

/** Evaluation through the OpenFeature Remote Evaluation Protocol. */
export const ofrep = defineModule({ name: 'ofrep', useCases: [ofrepUseCase] });
