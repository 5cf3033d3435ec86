import { defineModule } from '../../../platform/module.ts';
import { changesContract } from './changes/contract.ts';
import { emailContract } from './emails/contract.ts';
import { jobs } from './emails/jobs.ts';
import { deleteEmailChoice } from './emails/queries.ts';
import { followContract } from './follow/contract.ts';
import { deleteFollowsOf } from './follow/queries.ts';
import { followRoutes } from './routes.ts';

export { followFeature, followProject } from './follow/service.ts';

import './tables.ts';

export const follows = defineModule({
  name: 'follows',
  contract: { ...followContract, ...changesContract, ...emailContract },
  routes: followRoutes,
  forget: async (tx, userId) => {
    await deleteFollowsOf(tx, userId);
    await deleteEmailChoice(tx.db, userId);
  },
  jobs,
});
