import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../platform/db/database.ts';
import { badData, type Fault, invalidOperation } from '../../../platform/errors.ts';
import { findVisibleProjects, referenceTo } from '../../access/gate/index.ts';
import { findProvider } from '../providers/catalogue.ts';
import { newSigningSecret } from '../providers/webhook/signature.ts';
import { type FilterTargets, filterFaults, lockFilterTargets } from './filters.ts';
import { getProvider, splitParameters, toConfiguration } from './input.ts';
import type { Integration, IntegrationInput } from './integration-schema.ts';
import { changedNames, mergeParameters, openParameters } from './merged-parameters.ts';
import {
  hasSigningSecret,
  isKeptWhenOmitted,
  previousSigningSecret,
  signingSecret,
} from './parameters.ts';
import { deletedProjects, toEventData, toResponse } from './present.ts';
import {
  clearHeldUntil,
  type IntegrationConfiguration,
  type StoredIntegration,
  updateIntegration,
  updateSecrets,
} from './queries.ts';
import {
  type AccountVisibility,
  findVisibility,
  type Responsible,
  seesMore,
} from './responsible.ts';
import { isUnderFirstKey, openSecrets, sealSecrets } from './sealing.ts';
import { getStoredIntegration, type Installation, lockForChange, recordChange } from './stored.ts';

function providerFault(before: StoredIntegration, input: IntegrationInput): Fault[] {
  if (before.provider === input.provider) return [];
  const path = '/body/provider';
  const message = `${path} must be ${before.provider}: the provider of an integration can't be changed`;
  return [{ path, message }];
}

/** What is reported and to whom. Other settings (enabled, description, order, retention) only say how. */
const reportedFields = ({ events, projects, environments, tags }: IntegrationConfiguration) => ({
  events,
  projects,
  environments,
  tags,
});

/** Whether the new filter names a project that has the id of a deleted one in the old filter. */
const namesRecreatedProject = (
  before: StoredIntegration,
  configuration: IntegrationConfiguration,
  { projects }: FilterTargets,
) => deletedProjects(before).some((id) => configuration.projects.includes(id) && projects.has(id));

/** Reads what the actor sees now. A project may have been created since the request started. */
async function findActorVisibility({ db, actor, now }: Tx): Promise<AccountVisibility> {
  if (actor.sees === 'all') return { sees: 'all', isGone: false };
  return {
    sees: (await findVisibleProjects(db, referenceTo(actor), now)) ?? new Set(),
    isGone: false,
  };
}

/**
 * Returns the account that is responsible after a change. Whoever changes the target or the filters could otherwise
 * read what they may not see, so the integration then reports only what they see. The change is refused if that is
 * less than before, since others rely on these reports. Saving an integration unchanged lets it report more, if the
 * actor sees more.
 */
async function responsibleAfter(
  tx: Tx,
  before: StoredIntegration,
  configuration: IntegrationConfiguration,
  changes: { readonly isSame: boolean; readonly changesReports: boolean },
): Promise<Responsible> {
  const [visibleBefore, now] = [
    await findVisibility(tx.db, before.responsible, tx.now),
    await findActorVisibility(tx),
  ];
  if (changes.changesReports) {
    if (seesMore(visibleBefore.sees, now.sees, configuration.projects)) {
      throw invalidOperation(
        "You can't see all events this integration sends, so saving would drop them. Ask someone with access, such as an admin, to save it. You can still enable, disable, or pause it and change its description, delivery settings, and signing secrets.",
      );
    }
    return referenceTo(tx.actor);
  }
  const isWidened =
    changes.isSame &&
    (visibleBefore.isGone ||
      (seesMore(now.sees, visibleBefore.sees, configuration.projects) &&
        !seesMore(visibleBefore.sees, now.sees, configuration.projects)));
  return isWidened ? referenceTo(tx.actor) : before.responsible;
}

/** Projects and environments are locked before the event log, as in `createIntegration`. */
export async function changeIntegration(
  tx: Tx,
  installation: Installation,
  id: number,
  input: IntegrationInput,
): Promise<Integration> {
  const { encryptionKeys: keys } = installation;
  const targets = await lockFilterTargets(tx, input);
  const before = await lockForChange(tx, installation, id);
  const provider = getProvider(input.provider);
  const stored = openParameters(keys, before);
  const { parameters, faults } = mergeParameters(provider, stored, input.parameters);
  const other = providerFault(before, input);
  const all = [
    ...(other.length > 0 ? other : faults),
    ...filterFaults(tx.actor, input, targets, before),
  ];
  if (all.length > 0) throw badData(all);

  const parts = splitParameters(provider, parameters);
  const configuration = toConfiguration(input, parts, before);
  const changed = changedNames(stored, parameters);
  const changesReports =
    changed.some((name) => !isKeptWhenOmitted(name)) ||
    namesRecreatedProject(before, configuration, targets) ||
    !isDeepStrictEqual(reportedFields(configuration), reportedFields(before));
  const isSame =
    !changesReports &&
    changed.length === 0 &&
    isDeepStrictEqual(toEventData({ ...before, ...configuration }), toEventData(before));
  const responsible = await responsibleAfter(tx, before, configuration, { isSame, changesReports });
  const namedAfter = changesReports ? before.head : before.namedAfter;
  await updateIntegration(tx, id, { ...configuration, responsible, namedAfter });
  if (changed.length > 0) await clearHeldUntil(tx, id);
  if (changed.length > 0 || !isUnderFirstKey(keys, before)) {
    await updateSecrets(tx, id, sealSecrets(keys, id, parts.secrets));
  }
  const after = await getStoredIntegration(tx, id);
  recordChange(tx, before, after, changed.length > 0 ? { changedParameters: changed } : {});
  return toResponse(
    after,
    await findVisibility(tx.db, after.responsible, tx.now),
    tx.actor,
    tx.now,
  );
}

/** Generates a new signing secret. The previous one also signs, until someone removes it. */
export async function changeSigningSecret(
  tx: Tx,
  installation: Installation,
  id: number,
): Promise<{ signingSecret: string }> {
  const { encryptionKeys: keys } = installation;
  const before = await lockForChange(tx, installation, id);
  const provider = findProvider(before.provider);
  if (!provider || !hasSigningSecret(provider)) {
    throw invalidOperation(`${before.provider} integrations have no signing secret`);
  }
  const secrets = openSecrets(keys, before);
  if (!secrets) {
    throw invalidOperation(
      "Couldn't decrypt the stored secrets: their key is no longer in ENCRYPTION_KEY. Enter the secrets again first",
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
  recordChange(tx, before, await getStoredIntegration(tx, id), {
    changedParameters: changedNames(openParameters(keys, before), {
      ...before.parameters,
      ...after,
    }),
  });
  return { signingSecret: made };
}
