import { explained } from '../../../platform/db/constraint.ts';
import type { Actor, Db, Tx } from '../../../platform/db/database.ts';
import {
  badData,
  type Fault,
  invalidOperation,
  nameExists,
  notFound,
  patternError,
} from '../../../platform/errors.ts';
import { sees } from '../../../platform/permission.ts';
import { record } from '../../events/index.ts';
import {
  type FeatureNaming,
  findProject,
  holdProject,
  namingBreach,
  type Project,
} from '../../projects/index.ts';
import { addTagsTo, copyTagsTo, type Tag, tagFaults } from '../../tags/index.ts';
import type { Feature } from '../contract/feature.ts';
import { featureCreated } from '../events.ts';
import {
  countLiving,
  holdReceiver,
  insertFeatures,
  listTaken,
  type Receiver,
  type TakenName,
} from '../queries/feature.ts';
import type { LockedFeature } from '../queries/lock.ts';
import { factsOf, placeOf } from './locked.ts';
import { describeNewFeature } from './read.ts';

/** Living features of all projects together; more of them have outgrown what one installation is for. */
export const maxFeatures = 50_000;

export interface NewFeature {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly impressionData: boolean;
  readonly stale?: boolean;
  /** Left out: now. */
  readonly createdAt?: string;
  readonly tags?: readonly Tag[];
  /** Of a copy. */
  readonly origin?: {
    readonly clonedFrom: { readonly project?: string; readonly feature: string };
    readonly notCopied: readonly { readonly what: string; readonly why: string }[];
  };
}

/**
 * Creates features in a living project: all of them, or none. Nobody else has them yet. `place` says
 * where the request speaks of the one with this index.
 */
export async function createFeatures(
  tx: Tx,
  project: string,
  wishes: readonly NewFeature[],
  place: (index: number) => string = () => '/body',
): Promise<LockedFeature[]> {
  const { created } = await create(tx, project, wishes, place);
  return created;
}

export async function createFeature(
  tx: Tx,
  { project, ...wish }: NewFeature & { readonly project: string },
): Promise<LockedFeature> {
  const [feature] = await createFeatures(tx, project, [wish]);
  return feature as LockedFeature;
}

/** Creates a feature and describes it: all that a new one has is known, and need not be read. */
export async function createWholeFeature(
  tx: Tx,
  baseUrl: string,
  { project, ...wish }: NewFeature & { readonly project: string },
): Promise<Feature> {
  const { created, receiver } = await create(tx, project, [wish], () => '/body');
  const viewer = { actor: tx.actor, baseUrl };
  return describeNewFeature(viewer, created[0] as LockedFeature, receiver.environments);
}

async function create(
  tx: Tx,
  project: string,
  wishes: readonly NewFeature[],
  place: (index: number) => string,
): Promise<{ created: LockedFeature[]; receiver: Receiver }> {
  const tagTypes = new Set(wishes.flatMap(({ tags = [] }) => tags.map(({ type }) => type)));
  const receiver = await holdReceiver(tx, project, {
    names: wishes.map(({ name }) => name),
    types: wishes.map(({ type }) => type),
    tagTypes: [...tagTypes],
    countFrom: maxFeatures - wishes.length,
  });
  if (!receiver || receiver.archived) throw notFound('project', project);
  const faults = wishes.flatMap((wish, index) => faultsOf(tx, wish, receiver, place(index)));
  if (receiver.tagTypes.length < tagTypes.size) {
    for (const [index, { tags = [] }] of wishes.entries()) {
      faults.push(...(await tagFaults(tx.db, tags, `${place(index)}/tags`)));
    }
  }
  if (faults.length > 0) throw badData(faults);
  refuseTaken(tx.actor, receiver.taken);
  for (const [index, { name }] of wishes.entries()) {
    refuseBreach(receiver.featureNaming, name, `${place(index)}/name`);
  }
  await refuseBeyondLimits(tx, { project, ...receiver }, wishes.length);

  const features = wishes.map(({ createdAt, ...wish }) => ({
    name: wish.name,
    project,
    type: wish.type,
    description: wish.description,
    impressionData: wish.impressionData,
    stale: wish.stale ?? false,
    createdAt: createdAt === undefined ? tx.now : new Date(createdAt),
  }));
  if (features.length > 0) {
    const [only, ...others] = features.map(({ name }) => `named '${name}'`);
    const which = others.length > 0 ? 'with one of these names' : only;
    await explained(insertFeatures(tx, features), {
      features_pkey: () => nameExists(`There already is a feature ${which}`),
    });
  }
  const bare = features.map((feature) => ({ ...feature, archivedAt: null, tags: [] }));
  for (const [index, feature] of bare.entries()) {
    const data = { ...factsOf(feature), ...wishes[index]?.origin };
    record(tx, featureCreated({ ...placeOf(feature), data }));
  }
  const give = wishes.every(({ origin }) => origin) ? copyTagsTo : addTagsTo;
  const tags = await give(
    tx,
    bare.map((feature, index) => ({ feature, tags: wishes[index]?.tags ?? [] })),
  );
  const created = bare.map((feature, index) => ({ ...feature, tags: tags[index] ?? [] }));
  return { created, receiver };
}

function faultsOf(
  tx: Tx,
  { type, createdAt }: NewFeature,
  { types }: Receiver,
  place: string,
): Fault[] {
  const at = createdAt === undefined ? undefined : Date.parse(createdAt);
  return [
    ...(types.includes(type)
      ? []
      : [{ path: `${place}/type`, message: `There is no feature type '${type}'` }]),
    // A leap second is an instant of RFC 3339, but none that a Date can be.
    ...(at !== undefined && !(at >= 0 && at <= tx.now.getTime())
      ? [
          {
            path: `${place}/createdAt`,
            message: `${place}/createdAt must lie between 1970 and now; you sent '${createdAt}'`,
          },
        ]
      : []),
  ];
}

/** That a name is taken must be told; that it is so in the archive only to who may know the project. */
function refuseTaken(actor: Actor, [known]: readonly TakenName[]): void {
  if (!known) return;
  throw nameExists(
    known.archived && sees(actor, known.project)
      ? `There already is a feature named '${known.name}', in the archive`
      : `There already is a feature named '${known.name}'`,
  );
}

function refuseBreach(naming: FeatureNaming | undefined, name: string, path: string): void {
  const breach = namingBreach(naming, name);
  if (breach !== undefined) throw patternError(breach, path);
}

/**
 * The limit of a project is exact: whoever adds to a project that has one locks it first, and counts
 * afterwards. That of all projects is a guard-rail, which racing creations may pass by a few.
 */
async function refuseBeyondLimits(
  tx: Tx,
  { project, featureLimit, all }: Pick<Receiver, 'featureLimit' | 'all'> & { project: string },
  added: number,
): Promise<void> {
  if (featureLimit !== null) {
    const locked = await holdProject(tx, project);
    const { own } = await countLiving(tx.db, project, maxFeatures - added);
    refuseBeyondOwn(locked, own, added);
  }
  refuseBeyondAll(all, added);
}

/** For features that come back into a project, which is held already. */
export async function refuseWithoutRoom(tx: Tx, project: Project, added: number): Promise<void> {
  const { own, all } = await countLiving(tx.db, project.id, maxFeatures - added);
  refuseBeyondOwn(project, own, added);
  refuseBeyondAll(all, added);
}

function refuseBeyondOwn({ id, featureLimit }: Project, own: number, added: number): void {
  if (featureLimit === null || own + added <= featureLimit) return;
  throw invalidOperation(
    `The project '${id}' has ${own} of at most ${featureLimit} features: archive some, or raise its limit`,
  );
}

function refuseBeyondAll(all: number, added: number): void {
  if (all + added <= maxFeatures) return;
  throw invalidOperation(
    `All projects together have room for ${maxFeatures} features, which is not enough for this: archive some first`,
  );
}

/** Throws what creating a feature of this name would throw, in the project where one is named. */
export async function validateName(
  db: Db,
  actor: Actor,
  { name, projectId }: { readonly name: string; readonly projectId?: string | null },
): Promise<void> {
  const project =
    projectId && sees(actor, projectId) ? await findProject(db, projectId) : undefined;
  if (projectId && (!project || project.archivedAt)) {
    throw badData([{ path: '/body/projectId', message: `There is no project '${projectId}'` }]);
  }
  refuseTaken(actor, await listTaken(db, [name]));
  refuseBreach(project?.featureNaming, name, '/body/name');
}
