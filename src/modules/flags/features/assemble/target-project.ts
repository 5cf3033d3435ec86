import type { Tx } from '../../../../platform/db/database.ts';
import { badData, type Fault, notFound } from '../../../../platform/errors.ts';
import { lockForNewFeature, type Project } from '../../../catalogue/projects/index.ts';
import { tagFaults } from '../../../catalogue/tags/index.ts';
import { maxFeatures, refuseBeyondAll, refuseBeyondProject } from '../limits.ts';
import { refuseNamingBreach, refuseTakenName } from '../name.ts';
import { findOwners, ownerKey } from '../owner/service.ts';
import { countActive } from '../queries.ts';
import { type FeatureSpec, type NewFeature, pathOf } from './feature-spec.ts';
import { holdTargetProject, type TargetProjectRow } from './queries.ts';

/** The project that gets new features, with everything that decides whether it may get them. */
export interface TargetProject extends TargetProjectRow {
  readonly id: string;
  /** The locked project, if it has a feature limit. */
  readonly limited: Project | undefined;
}

interface Candidate extends Pick<NewFeature, 'name' | 'type' | 'tags'> {}

/**
 * Locks the project, so that no one archives it or takes an environment from it until the transaction
 * ends. Undefined: there is none. It may be archived.
 */
export async function findTargetProject(
  tx: Tx,
  project: string,
  features: readonly Candidate[],
): Promise<TargetProject | undefined> {
  const lookup = {
    names: features.map(({ name }) => name),
    types: features.map(({ type }) => type),
    tagTypes: features.flatMap(({ tags = [] }) => tags.map(({ type }) => type)),
    countFrom: maxFeatures - features.length,
  };
  const target = await holdTargetProject(tx, project, lookup);
  if (!target) return undefined;
  // Locked before any segment, because a change of a segment locks its project first.
  const isLimited = target.featureLimit !== null && !target.archived;
  const limited = isLimited ? await lockForNewFeature(tx, project) : undefined;
  return { ...target, id: project, limited };
}

export async function getTargetProject(
  tx: Tx,
  project: string,
  features: readonly Candidate[],
): Promise<TargetProject> {
  const target = await findTargetProject(tx, project, features);
  if (!target || target.archived) throw notFound('project', project);
  return target;
}

/** Everything that is wrong with the features themselves. */
export async function newFeatureFaults(
  tx: Tx,
  target: TargetProject,
  specs: readonly FeatureSpec[],
): Promise<Fault[]> {
  const faults = specs.flatMap((spec) => faultsOf(tx, target, spec));
  faults.push(...(await ownerFaults(tx, target, specs)));
  const tagTypes = new Set(target.tagTypes);
  for (const spec of specs) {
    const { tags = [] } = spec.feature;
    if (tags.every(({ type }) => tagTypes.has(type))) continue;
    faults.push(...(await tagFaults(tx.db, tags, `${pathOf(spec)}/tags`)));
  }
  return faults;
}

async function ownerFaults(
  tx: Tx,
  { id }: TargetProject,
  specs: readonly FeatureSpec[],
): Promise<Fault[]> {
  const owners = await findOwners(
    tx,
    id,
    specs.flatMap(({ feature }) => feature.owner ?? []),
  );
  return specs.flatMap((spec) => {
    const { owner } = spec.feature;
    const found = owner && owners.get(ownerKey(owner));
    return found && 'refusal' in found
      ? [{ path: `${pathOf(spec)}/owner`, message: found.refusal }]
      : [];
  });
}

function faultsOf(tx: Tx, { types }: TargetProject, spec: FeatureSpec): Fault[] {
  const { type, createdAt } = spec.feature;
  const path = pathOf(spec);
  const at = createdAt === undefined ? undefined : Date.parse(createdAt);
  return [
    ...(types.includes(type)
      ? []
      : [{ path: `${path}/type`, message: `Feature type '${type}' not found` }]),
    // RFC 3339 allows leap seconds, which Date.parse cannot read: NaN is refused, too.
    ...(at !== undefined && !(at >= 0 && at <= tx.now.getTime())
      ? [
          {
            path: `${path}/createdAt`,
            message: `${path}/createdAt must be between 1970 and now; you sent '${createdAt}'`,
          },
        ]
      : []),
  ];
}

/** Refuses features that cannot be created, or that exceed a limit. */
export async function refuseNewFeatures(
  tx: Tx,
  target: TargetProject,
  specs: readonly FeatureSpec[],
): Promise<void> {
  const faults = await newFeatureFaults(tx, target, specs);
  if (faults.length > 0) throw badData(faults);
  refuseTakenName(tx.actor, target.taken);
  for (const spec of specs) {
    refuseNamingBreach(target.featureNaming, spec.feature.name, `${pathOf(spec)}/name`);
  }
  const added = specs.length;
  if (target.limited) {
    const { own } = await countActive(tx.db, target.id, maxFeatures - added);
    refuseBeyondProject(target.limited, own, added);
  }
  refuseBeyondAll(target.all, added);
}
