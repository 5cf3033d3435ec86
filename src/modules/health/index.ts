import { defineModule } from '../../platform/module.ts';
import { contract } from './contract.ts';
import { healthRoutes } from './routes.ts';

import './tables.ts';

/** How projects fare. */
export const health = defineModule({ name: 'health', contract, routes: healthRoutes });
