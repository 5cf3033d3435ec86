import type { Actor, Db, Tx } from '../../../platform/db/database.ts';
import { badData, invalidOperation } from '../../../platform/errors.ts';
import { referenceTo } from '../../access/gate/index.ts';
import { ensureTagType } from '../../catalogue/tags/index.ts';
import { record } from '../../events/index.ts';
import { fanOutBeforeChange } from '../delivery/progress.ts';
import { integrationCreated, integrationDeleted } from '../events.ts';
import { providers } from '../providers/catalogue.ts';
import type { ProviderAnswer } from '../providers/provider-schema.ts';
import { newSigningSecret } from '../providers/webhook/signature.ts';
import type { Trouble } from '../tables.ts';
import { answerOf, factsOf, isHidden, providerAnswer } from './answer.ts';
import { draftOf, getProvider, split } from './draft.ts';
import {
  type CreatedIntegration,
  defaultRetentionDays,
  type Integration,
  type IntegrationWish,
} from './integration-schema.ts';
import { given, hasSigningSecret, signingSecret, texts } from './parameters.ts';
import { holdPlaces, placeFaults } from './places.ts';
import {
  countIntegrations,
  findIntegration,
  insertIntegration,
  listIntegrations,
  lockIntegration,
  updateDeleted,
  updateGone,
  updatePaused,
  updateSecrets,
} from './queries.ts';
import { createSights, sightOf } from './responsible.ts';
import { sealSecrets } from './sealing.ts';
import {
  getForChange,
  getStored,
  type Installation,
  recordChange,
  unknownIntegration,
} from './stored.ts';

/** Each is looked at for every event. */
const maxIntegrations = 100;

export async function listIntegrationsFor(
  db: Db,
  actor: Actor,
  now: Date,
): Promise<{ addons: Integration[]; providers: ProviderAnswer[] }> {
  const integrations = await listIntegrations(db, actor);
  const findSight = createSights(db, now);
  const addons: Integration[] = [];
  for (const integration of integrations) {
    if (isHidden(actor, integration)) continue;
    addons.push(answerOf(integration, await findSight(integration.responsible), actor, now));
  }
  return {
    addons,
    providers: providers.map(providerAnswer),
  };
}

export async function getIntegrationFor(
  db: Db,
  actor: Actor,
  id: number,
  now: Date,
): Promise<Integration> {
  const found = await findIntegration(db, actor, id);
  if (!found || isHidden(actor, found)) throw unknownIntegration(id);
  return answerOf(found, await sightOf(db, found.responsible, now), actor, now);
}

/**
 * What others hold until their event is written (projects, environments, tag types) is asked for before the
 * order of events is held: they would wait for it, and this for them.
 */
export async function createIntegration(
  tx: Tx,
  installation: Installation,
  wish: IntegrationWish,
): Promise<CreatedIntegration> {
  const provider = getProvider(wish.provider);
  const places = await holdPlaces(tx, wish);
  for (const type of provider.tagTypes ?? []) await ensureTagType(tx, type);
  const head = await fanOutBeforeChange(tx, installation);
  const faults = placeFaults(tx.actor, wish, places, { projects: [], environments: [] });
  if (faults.length > 0) throw badData(faults);
  if ((await countIntegrations(tx)) >= maxIntegrations) {
    throw invalidOperation(
      `There are ${maxIntegrations} integrations, as many as there can be: delete one first`,
    );
  }
  const sent = given(texts(wish.parameters));
  const generated =
    hasSigningSecret(provider) && sent[signingSecret] === undefined
      ? { signingSecret: newSigningSecret() }
      : undefined;
  const parts = split(provider, { ...sent, ...generated });
  const draft = draftOf(wish, parts, {
    tags: [],
    inOrder: false,
    retentionDays: defaultRetentionDays,
    responsible: referenceTo(tx.actor),
    namedAfter: head,
  });
  const id = await insertIntegration(tx, draft);
  await updateSecrets(tx, id, sealSecrets(installation.encryptionKeys, id, parts.secrets));
  const created = await getStored(tx, id);
  record(tx, integrationCreated({ data: factsOf(created) }));
  const sight = await sightOf(tx.db, created.responsible, tx.now);
  return { ...answerOf(created, sight, tx.actor, tx.now), ...(generated && { generated }) };
}

export async function removeIntegration(
  tx: Tx,
  installation: Installation,
  id: number,
): Promise<void> {
  const before = await getForChange(tx, installation, id);
  await updateDeleted(tx, id);
  record(tx, integrationDeleted({ preData: factsOf(before) }));
}

/** From now on events wait for it. */
export async function pauseIntegration(
  tx: Tx,
  installation: Installation,
  id: number,
): Promise<void> {
  const before = await getForChange(tx, installation, id);
  if (before.pausedAt) return;
  await updatePaused(tx, id, tx.now);
  recordChange(tx, before, { ...before, pausedAt: tx.now });
}

/** What waited for it is sent, the oldest first. */
export async function resumeIntegration(
  tx: Tx,
  installation: Installation,
  id: number,
): Promise<void> {
  const before = await getForChange(tx, installation, id);
  if (!before.pausedAt) return;
  await updatePaused(tx, id, null);
  recordChange(tx, before, { ...before, pausedAt: null });
}

/** Switches off what sends to a receiver that said it is gone for good; one that was deleted meanwhile is. */
export async function disableGone(
  tx: Tx,
  installation: Installation,
  id: number,
  why: Trouble,
): Promise<void> {
  await fanOutBeforeChange(tx, installation);
  const before = await lockIntegration(tx, id);
  if (!before) return;
  await updateGone(tx, id, why);
  if (!before.enabled) return;
  recordChange(tx, before, { ...before, enabled: false }, { reason: why.message });
}
