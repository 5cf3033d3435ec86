import { defineModule } from '../../../platform/module.ts';
import { deletePrivateViewsOf } from './queries.ts';
import { savedViewUseCase } from './routes.ts';

import './tables.ts';

export const savedViews = defineModule({
  name: 'saved-views',
  useCases: [savedViewUseCase],
  forget: deletePrivateViewsOf,
});
