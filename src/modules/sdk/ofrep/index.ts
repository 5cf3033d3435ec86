import { defineModule } from '../../../platform/module.ts';
import { contract } from './contract.ts';
import { ofrepRoutes } from './routes.ts';

/** Evaluation through the OpenFeature Remote Evaluation Protocol. */
export const ofrep = defineModule({ name: 'ofrep', contract, routes: ofrepRoutes });
