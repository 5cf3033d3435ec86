import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { countFeaturesToCleanUp } from '../../catalogue/projects/index.ts';
import { countUnreadNotifications } from '../../flags/follows/index.ts';
import { countFailingIntegrations } from '../../integrations/index.ts';
import { countUnknownFlags } from '../../sdk/client-metrics/index.ts';
import { type Attention, maxUnknownFlags } from './contract.ts';

/** API tokens follow nothing. */
const isAccount = ({ kind }: Actor): boolean => kind === 'person' || kind === 'service account';

export const getAttention = async (db: Db, actor: Actor, now: Date): Promise<Attention> => ({
  notifications: isAccount(actor) ? await countUnreadNotifications(db, actor) : 0,
  featuresToCleanUp: await countFeaturesToCleanUp(db, actor, now),
  failingIntegrations: await countFailingIntegrations(db, actor, now),
  unknownFlags: await countUnknownFlags(db, actor, maxUnknownFlags),
});
