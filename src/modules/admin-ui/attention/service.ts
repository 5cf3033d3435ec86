import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { countFeaturesToCleanUp } from '../../catalogue/projects/index.ts';
import { countUnreadNotifications } from '../../flags/follows/index.ts';
import { countWaiting } from '../../governance/change-requests/index.ts';
import { countFailingIntegrations } from '../../integrations/index.ts';
import { countUnknownFlags } from '../../sdk/client-metrics/index.ts';
import { type Attention, maxUnknownFlags } from './contract.ts';

/** API tokens follow nothing. */
const isAccount = ({ kind }: Actor): boolean => kind === 'person' || kind === 'service account';

export async function getAttention(db: Db, actor: Actor, now: Date): Promise<Attention> {
  const requests = await countWaiting(db, actor);
  return {
    notifications: isAccount(actor) ? await countUnreadNotifications(db, actor) : 0,
    changeRequestsToReview: requests.review,
    emergenciesToReview: requests['emergency-review'],
    changeRequestsToApply: requests.apply,
    featuresToCleanUp: await countFeaturesToCleanUp(db, actor, now),
    failingIntegrations: await countFailingIntegrations(db, actor, now),
    unknownFlags: await countUnknownFlags(db, actor, maxUnknownFlags),
  };
}
