import { explained } from '../../../../platform/db/constraint.ts';
import type { Actor, Db, Tx } from '../../../../platform/db/database.ts';
import { together } from '../../../../platform/db/together.ts';
import {
  badData,
  type Fault,
  invalidOperation,
  nameExists,
  notFound,
  patternError,
} from '../../../../platform/errors.ts';
import { sees } from '../../../../platform/permission.ts';
import {
  type FeatureNaming,
  findProject,
  holdProject,
  namingBreach,
  type Project,
} from '../../../catalogue/projects/index.ts';
import { addTagsTo, type Tag, tagFaults } from '../../../catalogue/tags/index.ts';
import { record, recordEach } from '../../../events/index.ts';
import { featureCreated } from '../events.ts';
import type { LockedFeature } from '../lock.ts';
import { factsOf, placeOf } from '../lock.ts';
import {
  countLiving,
  type FirstState,
  type Further,
  holdReceiver,
  insertFeatures,
  listTaken,
  type Receiver,
  type TakenName,
} from '../queries.ts';

/** Living features of all projects together; more of them have outgrown what one installation is for. */
export const maxFeatures = 50_000;

export interface NewFeature {
  readonly name: string;
  readonly type: string;
  readonly description: string | null;
  readonly impressionData: boolean;
  readonly stale?: boolean;
  /** Left out: now. */
  readonly createdAt?: string;
  readonly tags?: readonly Tag[];
  /** What it has in environments from the beginning: whoever asks for it records it, behind the creation. */
  readonly states?: readonly Omit<FirstState, 'featureName'>[];
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
  place?: (index: number) => string,
): Promise<LockedFeature[]> {
  const receiver = await getReceiver(tx, project, wishes);
  const faults = await creationFaults(tx, receiver, wishes, place);
  if (faults.length > 0) throw badData(faults);
  await refuseCreation(tx, receiver, wishes, place);
  return createInReceiver(tx, receiver, wishes);
}

export async function createFeature(
  tx: Tx,
  { project, ...wish }: NewFeature & { readonly project: string },
): Promise<LockedFeature> {
  const [feature] = await createFeatures(tx, project, [wish]);
  return feature as LockedFeature;
}

/** A living project that waits for features, and cannot be closed until the transaction ends. */
type HeldReceiver<Row = unknown> = Receiver &
  Row & {
    readonly id: string;
    /** Locked, where it has a limit that all of its features are counted for. */
    readonly limited: Project | undefined;
  };

const tagTypesOf = (wishes: readonly NewFeature[]) => [
  ...new Set(wishes.flatMap(({ tags = [] }) => tags.map(({ type }) => type))),
];

/** The project that features shall be made in; whoever makes some begins here. */
export async function getReceiver<Row = unknown>(
  tx: Tx,
  project: string,
  wishes: readonly NewFeature[],
  further?: Further<Row>,
): Promise<HeldReceiver<Row>> {
  const asked = {
    names: wishes.map(({ name }) => name),
    types: wishes.map(({ type }) => type),
    tagTypes: tagTypesOf(wishes),
    countFrom: maxFeatures - wishes.length,
  };
  const receiver = await holdReceiver(tx, project, asked, further);
  if (!receiver || receiver.archived) throw notFound('project', project);
  // Before anything else is locked: whoever changes a segment locks its project first.
  const limited = receiver.featureLimit === null ? undefined : await holdProject(tx, project);
  return { ...receiver, id: project, limited };
}

/** What is wrong with the wishes themselves, all at once. */
export async function creationFaults(
  tx: Tx,
  receiver: HeldReceiver,
  wishes: readonly NewFeature[],
  place: (index: number) => string = () => '/body',
): Promise<Fault[]> {
  const faults = wishes.flatMap((wish, index) => faultsOf(tx, wish, receiver, place(index)));
  if (receiver.tagTypes.length < tagTypesOf(wishes).length) {
    for (const [index, { tags = [] }] of wishes.entries()) {
      faults.push(...(await tagFaults(tx.db, tags, `${place(index)}/tags`)));
    }
  }
  return faults;
}

/** Refuses what the project, or all that there is already, does not allow. */
export async function refuseCreation(
  tx: Tx,
  receiver: HeldReceiver,
  wishes: readonly NewFeature[],
  place: (index: number) => string = () => '/body',
): Promise<void> {
  refuseTaken(tx.actor, receiver.taken);
  for (const [index, { name }] of wishes.entries()) {
    refuseBreach(receiver.featureNaming, name, `${place(index)}/name`);
  }
  await refuseBeyondLimits(tx, receiver, wishes.length);
}

/** Creates features that nothing speaks against. What is sent after this was called for one feature finds it. */
export async function createInReceiver(
  tx: Tx,
  { id: project }: HeldReceiver,
  wishes: readonly NewFeature[],
): Promise<LockedFeature[]> {
  const features = wishes.map(({ createdAt, ...wish }) => ({
    name: wish.name,
    project,
    type: wish.type,
    description: wish.description,
    impressionData: wish.impressionData,
    stale: wish.stale ?? false,
    createdAt: createdAt === undefined ? tx.now : new Date(createdAt),
  }));
  const bare = features.map((feature) => ({ ...feature, archivedAt: null, tags: [] }));
  const createdEvent = ([index, feature]: [number, (typeof bare)[number]]) => {
    const data = { ...factsOf(feature), ...wishes[index]?.origin };
    return featureCreated({ ...placeOf(feature), data });
  };
  const [only, ...others] = bare;
  if (only && others.length === 0) record(tx, createdEvent([0, only]));
  else await recordEach(tx, bare.entries(), createdEvent);
  const inserted = insertNamed(tx, features, wishes);
  const tagged = addTagsTo(
    tx,
    bare.map((feature, index) => ({ feature, tags: wishes[index]?.tags ?? [] })),
  );
  const [, tags] = await together(inserted, tagged);
  return bare.map((feature, index) => ({ ...feature, tags: tags[index] ?? [] }));
}

async function insertNamed(
  tx: Tx,
  features: Parameters<typeof insertFeatures>[1],
  wishes: readonly NewFeature[],
): Promise<void> {
  if (features.length === 0) return;
  const [only, ...others] = features.map(({ name }) => `named '${name}'`);
  const which = others.length > 0 ? 'with one of these names' : only;
  const states = wishes.flatMap(({ name: featureName, states: own = [] }) =>
    own.map(({ environment, enabled, variants }) => ({
      ...{ featureName, environment, enabled, variants },
    })),
  );
  await explained(insertFeatures(tx, features, states), {
    features_pkey: () => nameExists(`There already is a feature ${which}`),
  });
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
  { id, limited, all }: HeldReceiver,
  added: number,
): Promise<void> {
  if (limited) {
    const { own } = await countLiving(tx.db, id, maxFeatures - added);
    refuseBeyondOwn(limited, own, added);
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
