import type { Tx } from '../../../platform/db/database.ts';
import type { Settings } from '../../../platform/module.ts';
import { holdOrder } from '../../events/index.ts';
import { openIntegrations } from '../configuration/open.ts';
import { fanOut } from './fan-out.ts';
import {
  lockProgress,
  notifyDeliveries,
  updateProgress,
  updateVersion,
} from './queries/progress.ts';

/**
 * Called before any change of an integration. An event is delivered under the configuration in force when
 * it was committed: all that lie before this change are fanned out now, under the old one, and no other
 * event is committed until this transaction ends. Gives the id of the last event.
 */
export async function holdDeliveries(
  tx: Tx,
  { encryptionKeys, baseUrl }: Pick<Settings, 'encryptionKeys' | 'baseUrl'>,
): Promise<number> {
  let progress = await lockProgress(tx);
  const integrations = await openIntegrations(tx.db, encryptionKeys);
  const catchUp = async () => {
    while ((await fanOut(tx, progress, { integrations, baseUrl, leasedUntil: tx.now })).more) {
      progress = await lockProgress(tx);
    }
    await updateProgress(tx, progress.head);
    progress = await lockProgress(tx);
  };
  // Every writer waits from where the order is held: by then only what was committed meanwhile is left.
  await catchUp();
  await holdOrder(tx);
  await catchUp();
  await updateVersion(tx);
  await notifyDeliveries(tx);
  return progress.head;
}
