import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../../platform/db/database.ts';
import { badData } from '../../../../platform/errors.ts';
import { expiryOf } from '../../../../platform/expiry.ts';
import { patched } from '../../../../platform/http/json-patch.ts';
import { schemaFaults } from '../../../../platform/http/schema-faults.ts';
import { demand } from '../../../../platform/permission.ts';
import { record, recordEach } from '../../../events/index.ts';
import { archiveFeature } from '../archive/service.ts';
import { featureMetadataUpdated, featureStaleOff, featureStaleOn } from '../events.ts';
import {
  aboutFeature,
  factsOf,
  type LockedFeature,
  lockActiveFeature,
  lockActiveFeatures,
  lockFeatures,
} from '../lock.ts';
import type { SetOwner } from '../owner/owner-schema.ts';
import type { Owner } from '../owner/queries.ts';
import { expiresAtFaults, getOwner } from '../owner/service.ts';
import {
  isFeatureType,
  listNamesOwnedBy,
  updateFeature,
  updateOwner,
  updateStale,
} from '../queries.ts';
import {
  type FeatureChange,
  type FeaturePatch,
  type FeatureUpdate,
  PatchedFeatureSchema,
} from './contract.ts';

interface Address {
  readonly project: string;
  readonly feature: string;
}

/** Omitted properties stay unchanged. Archiving needs the same permission here as elsewhere. */
export async function changeFeature(
  tx: Tx,
  { project, feature }: Address,
  { archived, ...change }: FeatureUpdate,
): Promise<void> {
  if (archived) demand(tx.actor, 'DELETE_FEATURE', project);
  await changeLockedFeature(tx, await lockActiveFeature(tx, project, feature), change);
  if (archived) await archiveFeature(tx, project, feature);
}

const outcomeFaults = schemaFaults(PatchedFeatureSchema);

export async function patchFeature(
  tx: Tx,
  { project, feature: name }: Address,
  patch: FeaturePatch,
): Promise<void> {
  const before = await lockActiveFeature(tx, project, name);
  const { description, type, stale, impressionData } = before;
  const owner = before.owner && { type: before.owner.type, id: before.owner.id };
  const expiresAt = before.expiresAt?.toISOString() ?? null;
  const outcome = patched({ description, type, stale, impressionData, owner, expiresAt }, patch);
  const faults = outcomeFaults(outcome, '/body');
  if (faults.length > 0) throw badData(faults);
  const change = outcome as FeatureChange;
  const expiryFaults = expiresAtFaults(change.expiresAt);
  if (expiryFaults.length > 0) throw badData(expiryFaults);
  await changeLockedFeature(tx, before, {
    ...change,
    // A patch may remove these.
    description: change.description ?? null,
    owner: change.owner ?? null,
    expiresAt: change.expiresAt ?? null,
  });
}

/** The feature is locked already. Returns it with the changes. */
export async function changeLockedFeature(
  tx: Tx,
  before: LockedFeature,
  change: FeatureChange,
): Promise<LockedFeature> {
  const { description, type, stale, impressionData, owner, expiresAt } = change;
  const after: LockedFeature = {
    ...before,
    description: description === undefined ? before.description : description,
    type: type ?? before.type,
    stale: stale ?? before.stale,
    impressionData: impressionData ?? before.impressionData,
    owner: await ownerAfter(tx, before, owner),
    expiresAt: expiresAt === undefined ? before.expiresAt : expiryOf(expiresAt),
  };
  if (isDeepStrictEqual(before, after)) return before;
  if (after.type !== before.type) await refuseUnknownType(tx, after);
  await updateFeature(tx, after);
  const facts = { data: factsOf(after), preData: factsOf(before) };
  record(tx, featureMetadataUpdated({ ...aboutFeature(after), ...facts }));
  if (after.stale !== before.stale) record(tx, staleEvent(after));
  return after;
}

/** An owner who stays is not checked again: the user may have lost access to the project since. */
async function ownerAfter(
  tx: Tx,
  { project, owner: before }: LockedFeature,
  owner: SetOwner | null | undefined,
): Promise<Owner | null> {
  if (owner === undefined) return before;
  if (owner === null) return null;
  return owner.type === before?.type && owner.id === before.id
    ? before
    : getOwner(tx, project, owner);
}

async function refuseUnknownType(tx: Tx, { type }: LockedFeature): Promise<void> {
  if (await isFeatureType(tx.db, type)) return;
  throw badData([{ path: '/body/type', message: `Feature type '${type}' not found` }]);
}

const staleEvent = (feature: LockedFeature) =>
  (feature.stale ? featureStaleOn : featureStaleOff)(aboutFeature(feature));

/** Records no event for a feature that already has the mark. */
export async function markStale(
  tx: Tx,
  project: string,
  { features: names, stale }: { readonly features: readonly string[]; readonly stale: boolean },
): Promise<void> {
  const features = await lockActiveFeatures(tx, project, names);
  const changing = features.filter((feature) => feature.stale !== stale);
  if (changing.length === 0) return;
  await updateStale(
    tx,
    changing.map(({ name }) => name),
    stale,
  );
  await recordEach(tx, changing, (feature) => staleEvent({ ...feature, stale }));
}

/** The features are locked and have another owner. */
export async function giveFeatures(
  tx: Tx,
  features: readonly LockedFeature[],
  owner: Owner | null,
): Promise<void> {
  if (features.length === 0) return;
  await updateOwner(
    tx,
    features.map(({ name }) => name),
    owner,
  );
  await recordEach(tx, features, (before) =>
    featureMetadataUpdated({
      ...aboutFeature(before),
      data: factsOf({ ...before, owner }),
      preData: factsOf(before),
    }),
  );
}

/** The features of a user or group that is deleted have no owner afterwards. */
export async function releaseFeatures(tx: Tx, owner: Owner): Promise<void> {
  const names = await listNamesOwnedBy(tx.db, owner);
  if (names.length === 0) return;
  const locked = await lockFeatures(tx, names);
  // Someone may have given a feature to another owner before it was locked.
  const owned = new Set(await listNamesOwnedBy(tx.db, owner));
  const releasing = locked.filter(({ name }) => owned.has(name));
  // A locked feature has no deleted user as its owner.
  await giveFeatures(
    tx,
    releasing.map((feature) => ({ ...feature, owner })),
    null,
  );
}
