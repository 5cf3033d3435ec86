import type { Tx } from '../../../platform/db/database.ts';
import { invalidOperation, notFound } from '../../../platform/errors.ts';
import type { Settings } from '../../../platform/module.ts';
import { record } from '../../events/index.ts';
import { fanOutBeforeChange } from '../delivery/progress.ts';
import { type IntegrationFacts, integrationUpdated } from '../events.ts';
import { factsOf, hiddenProjects, isHidden } from './answer.ts';
import {
  findIntegration,
  type GlancedIntegration,
  lockIntegration,
  type StoredIntegration,
} from './queries.ts';

const what = 'integration';

/** What a change of integrations needs to know of the installation. */
export type Installation = Pick<Settings, 'encryptionKeys' | 'baseUrl'>;

export const unknownIntegration = (id: number) => notFound(what, id);

/**
 * The integration, locked, as it is before a change: what happened until now is told under the configuration
 * until now. Who does not see all that it is about cannot judge what a change would do. `head` is the last event.
 */
export async function getForChange(
  tx: Tx,
  installation: Installation,
  id: number,
): Promise<StoredIntegration & { readonly head: number }> {
  const head = await fanOutBeforeChange(tx, installation);
  const found = await lockIntegration(tx, id);
  if (!found || isHidden(tx.actor, found)) throw unknownIntegration(id);
  if (hiddenProjects(tx.actor, found).length > 0) {
    throw invalidOperation(`The integration ${id} concerns projects that you may not see`);
  }
  return { ...found, head };
}

/** As it is by now, for whoever has just changed it. */
export async function getStored(tx: Tx, id: number): Promise<GlancedIntegration> {
  const stored = await findIntegration(tx.db, tx.actor, id);
  if (!stored) throw unknownIntegration(id);
  return stored;
}

/** Tells of a change; of one that changed nothing, nothing. */
export function recordChange(
  tx: Tx,
  before: StoredIntegration,
  after: StoredIntegration,
  more: Pick<IntegrationFacts, 'changedParameters' | 'reason'> = {},
): void {
  record(
    tx,
    integrationUpdated({ data: { ...factsOf(after), ...more }, preData: factsOf(before) }),
  );
}
