import { defineModule } from '../../../platform/module.ts';
import { changesContract } from './changes/contract.ts';
import { changesRoutes } from './changes/routes.ts';
import { followContract } from './follow/contract.ts';
import { deleteFollowsOf } from './follow/queries.ts';
import { followRoutes } from './follow/routes.ts';
import { letterContract } from './letters/contract.ts';
import { jobs } from './letters/jobs.ts';
import { deleteLetters } from './letters/queries.ts';
import { letterRoutes } from './letters/routes.ts';

export { followFeature, followProject } from './follow/service.ts';

import './tables.ts';

export const follows = defineModule({
  name: 'follows',
  contract: { ...followContract, ...changesContract, ...letterContract },
  routes: (app, services) => {
    followRoutes(app, services);
    changesRoutes(app, services);
    letterRoutes(app, services);
  },
  forget: async (tx, userId) => {
    await deleteFollowsOf(tx, userId);
    await deleteLetters(tx.db, userId);
  },
  jobs,
});
