import type { Tx } from '../../../platform/db/database.ts';
import { invalidOperation, notFound } from '../../../platform/errors.ts';
import type { Settings } from '../../../platform/module.ts';
import { record } from '../../events/index.ts';
import { fanOutBeforeChange } from '../delivery/fan-out-before-change.ts';
import { type IntegrationEventData, integrationUpdated } from '../events.ts';
import { hiddenProjects, isHidden, toEventData } from './present.ts';
import {
  findIntegration,
  type IntegrationWithSummary,
  lockIntegration,
  type StoredIntegration,
} from './queries.ts';

const what = 'integration';

/** The settings that a change of integrations needs. */
export type Installation = Pick<Settings, 'encryptionKeys' | 'baseUrl'>;

export const unknownIntegration = (id: number) => notFound(what, id);

/**
 * Locks the integration before a change, and fans out earlier events under the old configuration. An actor who does
 * not see all its projects cannot judge a change, and is refused. `head` is the last event.
 */
export async function lockForChange(
  tx: Tx,
  installation: Installation,
  id: number,
): Promise<StoredIntegration & { readonly head: number }> {
  const head = await fanOutBeforeChange(tx, installation);
  const found = await lockIntegration(tx, id);
  if (!found || isHidden(tx.actor, found)) throw unknownIntegration(id);
  if (hiddenProjects(tx.actor, found).length > 0) {
    throw invalidOperation(`Integration ${id} covers projects that you can't see`);
  }
  return { ...found, head };
}

/** The integration as it is after the change. */
export async function getStoredIntegration(tx: Tx, id: number): Promise<IntegrationWithSummary> {
  const stored = await findIntegration(tx.db, tx.actor, id, tx.now);
  if (!stored) throw unknownIntegration(id);
  return stored;
}

export function recordChange(
  tx: Tx,
  before: StoredIntegration,
  after: StoredIntegration,
  more: Pick<IntegrationEventData, 'changedParameters' | 'reason'> = {},
): void {
  record(
    tx,
    integrationUpdated({ data: { ...toEventData(after), ...more }, preData: toEventData(before) }),
  );
}
