import { defineModule } from '../../../platform/module.ts';
import { contract } from './contract.ts';
import { ofrepRoutes } from './routes.ts';

/** Decisions as the OpenFeature Remote Evaluation Protocol asks for them. */
export const ofrep = defineModule({ name: 'ofrep', contract, routes: ofrepRoutes });
