import { defineModule } from '../../../platform/module.ts';
import { changesContract } from './changes/contract.ts';
import { followContract } from './follow/contract.ts';
import { deleteFollowsOf } from './follow/queries.ts';
import { letterContract } from './letters/contract.ts';
import { jobs } from './letters/jobs.ts';
import { deleteLetters } from './letters/queries.ts';
import { followRoutes } from './routes.ts';

export { followFeature, followProject } from './follow/service.ts';

import './tables.ts';

export const follows = defineModule({
  name: 'follows',
  contract: { ...followContract, ...changesContract, ...letterContract },
  routes: followRoutes,
  forget: async (tx, userId) => {
    await deleteFollowsOf(tx, userId);
    await deleteLetters(tx.db, userId);
  },
  jobs,
});
