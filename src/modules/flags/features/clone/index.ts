import { defineModule } from '../../../../platform/module.ts';
import { contract } from './contract.ts';
import { cloneRoutes } from './routes.ts';

export const clone = defineModule({ name: 'clone', contract, routes: cloneRoutes });
