import type { Actor } from '../../../platform/actor.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { badData, invalidOperation } from '../../../platform/errors.ts';
import { referenceTo } from '../../access/gate/index.ts';
import { ensureTagType } from '../../catalogue/tags/index.ts';
import { record } from '../../events/index.ts';
import { fanOutBeforeChange } from '../delivery/fan-out-before-change.ts';
import { integrationCreated, integrationDeleted } from '../events.ts';
import { providers } from '../providers/catalogue.ts';
import type { ProviderAnswer } from '../providers/provider-schema.ts';
import { newSigningSecret } from '../providers/webhook/signature.ts';
import type { IntegrationProblem } from '../tables.ts';
import { filterFaults, lockFilterTargets } from './filters.ts';
import { getProvider, splitParameters, toConfiguration } from './input.ts';
import {
  type CreatedIntegration,
  defaultRetentionDays,
  type Integration,
  type IntegrationInput,
} from './integration-schema.ts';
import { given, hasSigningSecret, signingSecret, toTexts } from './parameters.ts';
import { isHidden, providerAnswer, toEventData, toResponse } from './present.ts';
import {
  countIntegrations,
  findIntegration,
  insertIntegration,
  listFailing,
  listIntegrations,
  lockIntegration,
  updateDeleted,
  updateGone,
  updatePaused,
  updateSecrets,
} from './queries.ts';
import { createVisibilityCache, findVisibility } from './responsible.ts';
import { sealSecrets } from './sealing.ts';
import {
  getStoredIntegration,
  type Installation,
  lockForChange,
  recordChange,
  unknownIntegration,
} from './stored.ts';

/** Each event is matched with all of them. */
const maxIntegrations = 100;

export async function listIntegrationsFor(
  db: Db,
  actor: Actor,
  now: Date,
): Promise<{ addons: Integration[]; providers: ProviderAnswer[] }> {
  const integrations = await listIntegrations(db, actor, now);
  const findSight = createVisibilityCache(db, now);
  const addons: Integration[] = [];
  for (const integration of integrations) {
    if (isHidden(actor, integration)) continue;
    addons.push(toResponse(integration, await findSight(integration.responsible), actor, now));
  }
  return {
    addons,
    providers: providers.map(providerAnswer),
  };
}

export async function countFailingIntegrations(db: Db, actor: Actor, now: Date): Promise<number> {
  const failing = await listFailing(db, actor, now);
  return failing.filter((integration) => !isHidden(actor, integration)).length;
}

export async function getIntegrationFor(
  db: Db,
  actor: Actor,
  id: number,
  now: Date,
): Promise<Integration> {
  const found = await findIntegration(db, actor, id, now);
  if (!found || isHidden(actor, found)) throw unknownIntegration(id);
  return toResponse(found, await findVisibility(db, found.responsible, now), actor, now);
}

/**
 * Projects, environments and tag types are locked before the event log. Other writers hold them while they wait for
 * the event log, so the opposite order would deadlock.
 */
export async function createIntegration(
  tx: Tx,
  installation: Installation,
  input: IntegrationInput,
): Promise<CreatedIntegration> {
  const provider = getProvider(input.provider);
  const targets = await lockFilterTargets(tx, input);
  for (const type of provider.tagTypes ?? []) await ensureTagType(tx, type);
  const head = await fanOutBeforeChange(tx, installation);
  const faults = filterFaults(tx.actor, input, targets, { projects: [], environments: [] });
  if (faults.length > 0) throw badData(faults);
  if ((await countIntegrations(tx)) >= maxIntegrations) {
    throw invalidOperation(
      `The limit of ${maxIntegrations} integrations is reached. Delete an integration first`,
    );
  }
  const sent = given(toTexts(input.parameters));
  const generated =
    hasSigningSecret(provider) && sent[signingSecret] === undefined
      ? { signingSecret: newSigningSecret() }
      : undefined;
  const parts = splitParameters(provider, { ...sent, ...generated });
  const configuration = toConfiguration(input, parts, {
    tags: [],
    inOrder: false,
    retentionDays: defaultRetentionDays,
    responsible: referenceTo(tx.actor),
    namedAfter: head,
  });
  const id = await insertIntegration(tx, configuration);
  await updateSecrets(tx, id, sealSecrets(installation.encryptionKeys, id, parts.secrets));
  const created = await getStoredIntegration(tx, id);
  record(tx, integrationCreated({ data: toEventData(created) }));
  const sight = await findVisibility(tx.db, created.responsible, tx.now);
  return { ...toResponse(created, sight, tx.actor, tx.now), ...(generated && { generated }) };
}

export async function removeIntegration(
  tx: Tx,
  installation: Installation,
  id: number,
): Promise<void> {
  const before = await lockForChange(tx, installation, id);
  await updateDeleted(tx, id);
  record(tx, integrationDeleted({ preData: toEventData(before) }));
}

/** Deliveries wait until it is resumed. */
export async function pauseIntegration(
  tx: Tx,
  installation: Installation,
  id: number,
): Promise<void> {
  const before = await lockForChange(tx, installation, id);
  if (before.pausedAt) return;
  await updatePaused(tx, id, tx.now);
  recordChange(tx, before, { ...before, pausedAt: tx.now });
}

/** Pending deliveries are sent, oldest first. */
export async function resumeIntegration(
  tx: Tx,
  installation: Installation,
  id: number,
): Promise<void> {
  const before = await lockForChange(tx, installation, id);
  if (!before.pausedAt) return;
  await updatePaused(tx, id, null);
  recordChange(tx, before, { ...before, pausedAt: null });
}

/** Disables an integration whose receiver is gone for good. Does nothing if it was deleted meanwhile. */
export async function disableGone(
  tx: Tx,
  installation: Installation,
  id: number,
  why: IntegrationProblem,
): Promise<void> {
  await fanOutBeforeChange(tx, installation);
  const before = await lockIntegration(tx, id);
  if (!before) return;
  await updateGone(tx, id, why);
  if (!before.enabled) return;
  recordChange(tx, before, { ...before, enabled: false }, { reason: why.message });
}
