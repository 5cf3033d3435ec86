import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../platform/db/database.ts';
import { badData, type Fault, invalidOperation } from '../../../platform/errors.ts';
import { findVisibleProjects, referenceTo } from '../../access/gate/index.ts';
import { findProvider } from '../providers/catalogue.ts';
import { newSigningSecret } from '../providers/webhook/signature.ts';
import { answerOf, deletedProjects, factsOf } from './answer.ts';
import { draftOf, getProvider, split } from './draft.ts';
import type { Integration, IntegrationWish } from './integration-schema.ts';
import { changedNames, mergedParameters, opened } from './merged-parameters.ts';
import {
  hasSigningSecret,
  previousSigningSecret,
  signingSecret,
  staysWhenLeftOut,
} from './parameters.ts';
import { holdPlaces, type Places, placeFaults } from './places.ts';
import {
  type IntegrationDraft,
  type StoredIntegration,
  updateIntegration,
  updateSecrets,
  updateUnheld,
} from './queries.ts';
import { type Responsible, type Sight, seesMore, sightOf } from './responsible.ts';
import { isUnderFirstKey, openSecrets, sealSecrets } from './sealing.ts';
import { getForChange, getStored, type Installation, recordChange } from './stored.ts';

function otherProvider(before: StoredIntegration, wish: IntegrationWish): Fault[] {
  if (before.provider === wish.provider) return [];
  const path = '/body/provider';
  const message = `${path} must be ${before.provider}: an integration stays with its provider`;
  return [{ path, message }];
}

/** What is told to whom; the rest of a configuration (on or off, description, order, retention) only says how. */
const whatItTells = ({ events, projects, environments, tags }: IntegrationDraft) => ({
  events,
  projects,
  environments,
  tags,
});

/** Whether a wish names a project that has the id of a deleted one which was meant until now. */
const namesAnew = (before: StoredIntegration, wished: IntegrationDraft, { projects }: Places) =>
  deletedProjects(before).some((id) => wished.projects.includes(id) && projects.has(id));

/** What whoever acts sees at this moment: the request may have begun before a project was made. */
async function actorsSight({ db, actor, now }: Tx): Promise<Sight> {
  if (actor.sees === 'all') return { sees: 'all', isGone: false };
  return {
    sees: (await findVisibleProjects(db, referenceTo(actor), now)) ?? new Set(),
    isGone: false,
  };
}

/**
 * Who answers for what the integration tells after a change. Whoever changes where it sends, or what, could have
 * themselves told what they may not see: from then on it tells what they see. If that is less than before, the
 * change is refused, since others rely on what it tells. Saved as it is, by somebody who sees more, it tells more.
 */
async function responsibleAfter(
  tx: Tx,
  before: StoredIntegration,
  wished: IntegrationDraft,
  changes: { readonly isSame: boolean; readonly changesWhatItTells: boolean },
): Promise<Responsible> {
  const [formerly, now] = [await sightOf(tx.db, before.responsible, tx.now), await actorsSight(tx)];
  if (changes.changesWhatItTells) {
    if (seesMore(formerly.sees, now.sees, wished.projects)) {
      throw invalidOperation(
        `The integration ${before.id} tells of something that you may not see, and would no longer tell of it after your change. Have it changed by somebody who sees as much as whoever changed it last, such as an administrator. You may switch it on and off, pause it, and change its description, inOrder, retentionDays and signing secrets`,
      );
    }
    return referenceTo(tx.actor);
  }
  const isWidened =
    changes.isSame &&
    (formerly.isGone ||
      (seesMore(now.sees, formerly.sees, wished.projects) &&
        !seesMore(formerly.sees, now.sees, wished.projects)));
  return isWidened ? referenceTo(tx.actor) : before.responsible;
}

/** Projects and environments are asked for before the order of events is held, as in `createIntegration`. */
export async function changeIntegration(
  tx: Tx,
  installation: Installation,
  id: number,
  wish: IntegrationWish,
): Promise<Integration> {
  const { encryptionKeys: keys } = installation;
  const places = await holdPlaces(tx, wish);
  const before = await getForChange(tx, installation, id);
  const provider = getProvider(wish.provider);
  const stored = opened(keys, before);
  const { parameters, faults } = mergedParameters(provider, stored, wish.parameters);
  const other = otherProvider(before, wish);
  const all = [
    ...(other.length > 0 ? other : faults),
    ...placeFaults(tx.actor, wish, places, before),
  ];
  if (all.length > 0) throw badData(all);

  const parts = split(provider, parameters);
  const wished = draftOf(wish, parts, before);
  const changed = changedNames(stored, parameters);
  const changesWhatItTells =
    changed.some((name) => !staysWhenLeftOut(name)) ||
    namesAnew(before, wished, places) ||
    !isDeepStrictEqual(whatItTells(wished), whatItTells(before));
  const isSame =
    !changesWhatItTells &&
    changed.length === 0 &&
    isDeepStrictEqual(factsOf({ ...before, ...wished }), factsOf(before));
  const responsible = await responsibleAfter(tx, before, wished, { isSame, changesWhatItTells });
  const namedAfter = changesWhatItTells ? before.head : before.namedAfter;
  await updateIntegration(tx, id, { ...wished, responsible, namedAfter });
  if (changed.length > 0) await updateUnheld(tx, id);
  if (changed.length > 0 || !isUnderFirstKey(keys, before)) {
    await updateSecrets(tx, id, sealSecrets(keys, id, parts.secrets));
  }
  const after = await getStored(tx, id);
  recordChange(tx, before, after, changed.length > 0 ? { changedParameters: changed } : {});
  return answerOf(after, await sightOf(tx.db, after.responsible, tx.now), tx.actor, tx.now);
}

/** Makes a new signing secret. The one until now signs beside it, until somebody takes it away. */
export async function changeSigningSecret(
  tx: Tx,
  installation: Installation,
  id: number,
): Promise<{ signingSecret: string }> {
  const { encryptionKeys: keys } = installation;
  const before = await getForChange(tx, installation, id);
  const provider = findProvider(before.provider);
  if (!provider || !hasSigningSecret(provider)) {
    throw invalidOperation(`Integrations of the kind ${before.provider} have no signing secret`);
  }
  const secrets = openSecrets(keys, before);
  if (!secrets) {
    throw invalidOperation(
      'The stored secrets cannot be read: they were encrypted under a key that is not in ENCRYPTION_KEY any more. Enter them again first',
    );
  }
  const made = newSigningSecret();
  const former = secrets[signingSecret];
  const after = {
    ...secrets,
    [signingSecret]: made,
    ...(former !== undefined && { [previousSigningSecret]: former }),
  };
  await updateIntegration(tx, id, { ...before, secretNames: Object.keys(after).sort() });
  await updateSecrets(tx, id, sealSecrets(keys, id, after));
  recordChange(tx, before, await getStored(tx, id), {
    changedParameters: changedNames(opened(keys, before), { ...before.parameters, ...after }),
  });
  return { signingSecret: made };
}
