import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { badData, notFound } from '../../../platform/errors.ts';
import type { EventTag } from '../../events/index.ts';
import type { FeatureFacts } from './events.ts';
import type { Owner } from './owner/queries.ts';

/** A feature that no other transaction can change until this one ends. */
export interface LockedFeature {
  readonly name: string;
  readonly project: string;
  readonly type: string;
  readonly description: string | null;
  readonly impressionData: boolean;
  readonly stale: boolean;
  readonly createdAt: Date;
  readonly archivedAt: Date | null;
  readonly tags: readonly EventTag[];
  readonly owner: Owner | null;
  readonly expiresAt: Date | null;
}

/** Locks features in the order of their names, and reads them afterwards. */
export async function lockFeatures(
  tx: Tx,
  names: readonly string[],
  purpose: 'change' | 'delete' = 'change',
): Promise<LockedFeature[]> {
  const { rows } = await sql<LockedFeature>`
    select name, project, type, description, "impressionData", stale, "createdAt", "archivedAt", tags,
      owner, "expiresAt"
    from lock_features(${names}::text[], ${purpose === 'delete'})`.execute(tx.db);
  return rows;
}

type State = 'active' | 'archived';
type Purpose = 'change' | 'delete';

/** The feature as events hold it. */
export const factsOf = (feature: LockedFeature): FeatureFacts => ({
  name: feature.name,
  description: feature.description,
  type: feature.type,
  project: feature.project,
  stale: feature.stale,
  impressionData: feature.impressionData,
  createdAt: feature.createdAt.toISOString(),
  archived: feature.archivedAt !== null,
  archivedAt: feature.archivedAt?.toISOString() ?? null,
  ...(feature.owner && { owner: ownerFacts(feature.owner) }),
  ...(feature.expiresAt && { expiresAt: feature.expiresAt.toISOString() }),
});

/** Without the name of a user: the names of two users in one event could not be erased one by one. */
const ownerFacts = ({ type, id, name }: Owner): NonNullable<FeatureFacts['owner']> =>
  type === 'group' ? { type, id, name } : { type, id };

/** The properties of every event about a feature. */
export const aboutFeature = ({ project, name, tags }: LockedFeature) => ({
  project,
  featureName: name,
  tags,
});

/** Every change of a feature begins here. */
export async function lockActiveFeature(
  tx: Tx,
  project: string,
  name: string,
): Promise<LockedFeature> {
  const [feature] = await lockFeatures(tx, [name]);
  if (feature?.project !== project || feature.archivedAt) throw notFound('feature', name);
  return feature;
}

/** In this project, if one is given. */
export async function lockArchivedFeature(
  tx: Tx,
  name: string,
  { project, purpose = 'change' }: { readonly project?: string; readonly purpose?: Purpose } = {},
): Promise<LockedFeature> {
  const [feature] = await lockFeatures(tx, [name], purpose);
  if (!feature?.archivedAt || (project !== undefined && feature.project !== project)) {
    throw notFound('archived feature', name);
  }
  return feature;
}

/** Reports a fault for each name in a list of the body that is no active feature of the project. */
export const lockActiveFeatures = (
  tx: Tx,
  project: string,
  names: readonly string[],
): Promise<LockedFeature[]> => lockListed(tx, project, names, 'active', 'change');

/** Reports a fault for each name in a list of the body that is no archived feature of the project. */
export const lockArchivedFeatures = (
  tx: Tx,
  project: string,
  names: readonly string[],
  purpose: Purpose = 'change',
): Promise<LockedFeature[]> => lockListed(tx, project, names, 'archived', purpose);

async function lockListed(
  tx: Tx,
  project: string,
  names: readonly string[],
  state: State,
  purpose: Purpose,
): Promise<LockedFeature[]> {
  const locked = await lockFeatures(tx, names, purpose);
  const found = locked.filter(
    (feature) =>
      feature.project === project && (feature.archivedAt === null) === (state === 'active'),
  );
  refuseUnknown(
    found.map(({ name }) => name),
    project,
    names,
    state,
  );
  return found;
}

/** Each name of a body's list that is not among the existing ones is a fault. */
export function refuseUnknown(
  existing: readonly string[],
  project: string,
  names: readonly string[],
  state: State = 'active',
): void {
  const found = new Set(existing);
  const kind = state === 'active' ? 'Feature' : 'Archived feature';
  const faults = names.flatMap((name, index) =>
    found.has(name)
      ? []
      : [
          {
            path: `/body/features/${index}`,
            message: `${kind} '${name}' not found in project '${project}'`,
          },
        ],
  );
  if (faults.length > 0) throw badData(faults);
}
