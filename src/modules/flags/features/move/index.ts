import { defineModule } from '../../../../platform/module.ts';
import { contract } from './contract.ts';
import { moveRoutes } from './routes.ts';

/** Moves features to other projects. */
export const move = defineModule({ name: 'move', contract, routes: moveRoutes });
