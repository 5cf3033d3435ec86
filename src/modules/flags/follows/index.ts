import { defineModule } from '../../../platform/module.ts';
import { changesUseCase } from './changes/routes.ts';
import { jobs } from './emails/jobs.ts';
import { deleteDirectEmailsOff, deleteEmailChoice } from './emails/queries.ts';
import { emailUseCase } from './emails/routes.ts';
import { deleteFollowsOf } from './follow/queries.ts';
import { followUseCase } from './follow/routes.ts';
import { deleteReadsOf } from './notifications/queries.ts';
import { notificationsUseCase } from './notifications/routes.ts';

export { followFeature, followProject } from './follow/service.ts';
export { countUnreadNotifications } from './notifications/service.ts';

import './tables.ts';

export const follows = defineModule({
  name: 'follows',
  useCases: [followUseCase, changesUseCase, notificationsUseCase, emailUseCase],
  forget: async (tx, userId) => {
    await deleteFollowsOf(tx, userId);
    await deleteReadsOf(tx, userId);
    await deleteEmailChoice(tx.db, userId);
    await deleteDirectEmailsOff(tx, userId);
  },
  jobs,
});
