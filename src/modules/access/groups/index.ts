import { defineModule } from '../../../platform/module.ts';
import { updateForgotten } from './queries.ts';
import { groupUseCase } from './routes.ts';

export { lockGroups } from './queries.ts';
export { changeGroup, createGroup, deletingGroup, removeGroup } from './service.ts';
export { syncExternalGroups } from './sync.ts';

import './tables.ts';

export const groups = defineModule({
  name: 'groups',
  useCases: [groupUseCase],
  forget: updateForgotten,
});
