import type { Tx } from '../../../platform/db/database.ts';
import type { Settings } from '../../../platform/module.ts';
import { lockEventLog } from '../../events/index.ts';
import { openIntegrations } from '../configuration/open.ts';
import { fanOut } from './fan-out.ts';
import {
  lockProgress,
  notifyDeliveries,
  updateProgress,
  updateVersion,
} from './queries/progress.ts';

/**
 * Call before any change of an integration. An event is delivered under the configuration in force when it was
 * committed. So the events before the change are fanned out now, under the old configuration, and no event is
 * committed until this transaction ends. Returns the id of the last event.
 */
export async function fanOutBeforeChange(
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
  // All writers wait for this lock. The first catch-up runs without it, so that little is left to do under it.
  await catchUp();
  await lockEventLog(tx);
  await catchUp();
  await updateVersion(tx);
  await notifyDeliveries(tx);
  return progress.head;
}
