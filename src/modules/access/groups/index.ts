import { defineModule } from '../../../platform/module.ts';
import { contract } from './contract.ts';
import { updateForgotten } from './queries.ts';
import { groupRoutes } from './routes.ts';

export { changeGroup, createGroup } from './service.ts';
export { syncExternalGroups } from './sync.ts';

import './tables.ts';

export const groups = defineModule({
  name: 'groups',
  contract,
  routes: groupRoutes,
  forget: updateForgotten,
});
