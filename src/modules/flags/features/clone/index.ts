import { defineModule } from '../../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { cloneRoutes } from './routes.ts';

export const clone = defineModule({ name: 'clone', contract: endpoints, routes: cloneRoutes });
