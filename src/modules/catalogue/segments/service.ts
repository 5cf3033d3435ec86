import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../../platform/actor.ts';
import { explained } from '../../../platform/db/constraint.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import {
  badData,
  type Fault,
  invalidOperation,
  nameExists,
  notFound,
} from '../../../platform/errors.ts';
import { inBatches } from '../../../platform/http/long-json.ts';
import { pathId } from '../../../platform/http/path-id.ts';
import { sees } from '../../../platform/permission.ts';
import { record, recordEach } from '../../events/index.ts';
import {
  type Constraint,
  completeConstraint,
  expressionFaults,
  legalValueFaults,
} from '../context-fields/index.ts';
import { listUses, type Uses } from '../uses/index.ts';
import type { CreateSegment, Segment, SegmentStrategy, UsedSegment } from './contract.ts';
import { segmentCreated, segmentDeleted, segmentUpdated } from './events.ts';
import { describeUsages } from './in-use.ts';
import { demandFor, demandWhereUsed } from './permission.ts';
import {
  countSegments,
  deleteSegments,
  findProjectOfStrategy,
  findSegment,
  insertSegment,
  isNameTaken,
  listSegments,
  listSegmentsOfStrategy,
  listStrategiesWith,
  listUsages,
  lockActiveProject,
  lockForUse,
  lockSegment,
  lockSegmentsOf,
  type SegmentDraft,
  type SegmentIdentity,
  type StoredSegment,
  updateSegment,
} from './queries.ts';

/** SDKs get all segments they need at once. Concurrent creations may exceed it by a few. */
export const maxSegments = 1000;

const what = 'segment';
const taken = (name: string) => nameExists(`A segment named '${name}' already exists`);

const factsOf = ({ createdByUserId, ...segment }: StoredSegment) => ({
  ...segment,
  userId: createdByUserId,
});

/** Few, because a segment may have thousands of values. */
const firstRows = 10;

/** Lists the segments that the actor may see by name, each as JSON. */
export const listSegmentsFor = (db: Db, actor: Actor): AsyncGenerator<string> =>
  inBatches<string>(async (after = '', limit) => {
    const segments = await listSegments(db, actor.sees, { after, limit });
    return {
      items: segments.map(({ constraints, project, ...segment }) => {
        const json = JSON.stringify({ ...segment, ...(project !== null && { project }) });
        return `${json.slice(0, -1)},"constraints":${constraints}}`;
      }),
      next: segments.length < limit ? undefined : segments.at(-1)?.name,
    };
  }, firstRows);

export async function getSegmentFor(db: Db, actor: Actor, id: string): Promise<UsedSegment> {
  const segment = await findSegment(db, actor.sees, pathId(what, id));
  if (!segment) throw notFound(what, id);
  return segment;
}

export async function listSegmentStrategiesFor(
  db: Db,
  actor: Actor,
  id: string,
): Promise<SegmentStrategy[]> {
  const segment = await getSegmentFor(db, actor, id);
  return listStrategiesWith(db, actor.sees, segment.id);
}

export async function listSegmentUsesFor(db: Db, actor: Actor, id: string): Promise<Uses> {
  const segment = await getSegmentFor(db, actor, id);
  return listUses(db, actor, 'segment', String(segment.id));
}

export async function listSegmentsOfStrategyFor(
  db: Db,
  actor: Actor,
  strategyId: string,
): Promise<UsedSegment[]> {
  const owner = await findProjectOfStrategy(db, strategyId);
  if (!owner || !sees(actor, owner.project)) throw notFound('strategy', strategyId);
  return listSegmentsOfStrategy(db, actor.sees, strategyId);
}

/** Throws what creating a segment with this name would throw. */
export async function validateName(db: Db, name: string): Promise<void> {
  if (await isNameTaken(db, name)) throw taken(name);
}

/**
 * Faults of a project that a segment cannot belong to. Locks the project before any segment: saving a default
 * strategy takes the locks in the same order.
 */
async function projectFaults(tx: Tx, project: string | null | undefined): Promise<Fault[]> {
  if (project == null) return [];
  const active = await lockActiveProject(tx, project);
  if (active && sees(tx.actor, project)) return [];
  return [{ path: '/body/project', message: `Project '${project}' not found` }];
}

const constraintsOf = (input: CreateSegment): Constraint[] =>
  input.constraints.map(completeConstraint);

interface Origin {
  /** The segment comes from another installation, in which its values were legal once. */
  readonly keepsValues?: true;
  /** The segment was deleted and comes back. */
  readonly identity?: SegmentIdentity;
}

export async function createSegment(
  tx: Tx,
  input: CreateSegment,
  { keepsValues, identity }: Origin = {},
): Promise<Segment> {
  const project = input.project ?? undefined;
  demandFor(tx.actor, 'CREATE_SEGMENT', project);
  const constraints = constraintsOf(input);
  const faults = [
    ...(await projectFaults(tx, project)),
    ...expressionFaults(constraints, '/body/constraints'),
    ...(keepsValues ? [] : await legalValueFaults(tx.db, constraints, '/body/constraints')),
  ];
  if (faults.length > 0) throw badData(faults);
  if ((await countSegments(tx.db)) >= maxSegments) {
    throw invalidOperation(`The limit of ${maxSegments} segments is reached`);
  }
  const draft: SegmentDraft = {
    name: input.name,
    description: input.description ?? null,
    ...(project !== undefined && { project }),
    constraints,
  };
  const stored = await explained(insertSegment(tx, draft, identity), {
    segments_pkey: () => nameExists('Another segment has this ID'),
    segments_name_key: () => taken(input.name),
  });
  record(tx, segmentCreated({ project: project ?? null, data: factsOf(stored) }));
  const { createdByUserId, ...segment } = stored;
  return segment;
}

/** Gets and locks a segment. Refuses changes in archived projects. */
async function getSegment(
  tx: Tx,
  id: string,
  permission: 'UPDATE_SEGMENT' | 'DELETE_SEGMENT',
): Promise<StoredSegment> {
  const found = await lockSegment(tx, pathId(what, id));
  if (!found || (found.project !== undefined && !sees(tx.actor, found.project))) {
    throw notFound(what, id);
  }
  const { frozen, ...segment } = found;
  demandFor(tx.actor, permission, segment.project);
  if (frozen) {
    throw invalidOperation(
      `The segment '${segment.name}' belongs to the archived project '${segment.project}' and cannot be changed`,
    );
  }
  return segment;
}

/** Applies a change to a segment. An omitted description or project stays. */
function applyChange({ project, ...before }: StoredSegment, input: CreateSegment): StoredSegment {
  const newProject = input.project === undefined ? project : (input.project ?? undefined);
  return {
    ...before,
    name: input.name,
    description: input.description === undefined ? before.description : input.description,
    ...(newProject !== undefined && { project: newProject }),
    constraints: constraintsOf(input),
  };
}

export async function changeSegment(
  tx: Tx,
  id: string,
  input: CreateSegment,
  { keepsValues }: Origin = {},
): Promise<void> {
  const unusable = await projectFaults(tx, input.project);
  const before = await getSegment(tx, id, 'UPDATE_SEGMENT');
  const after = applyChange(before, input);
  demandFor(tx.actor, 'UPDATE_SEGMENT', after.project);
  if (!isDeepStrictEqual(before.constraints, after.constraints)) await demandWhereUsed(tx, before);
  const faults = [
    ...unusable,
    // Reporting uses elsewhere would reveal whether a hidden project uses the segment.
    ...(after.project === before.project || unusable.length > 0
      ? []
      : await movingFaults(tx, before, after.project)),
    ...expressionFaults(after.constraints, '/body/constraints', before.constraints),
    ...(keepsValues
      ? []
      : await legalValueFaults(tx.db, after.constraints, '/body/constraints', before.constraints)),
  ];
  if (faults.length > 0) throw badData(faults);
  if (isDeepStrictEqual(before, after)) return;
  await explained(updateSegment(tx, after), { segments_name_key: () => taken(after.name) });
  record(
    tx,
    segmentUpdated({
      // A segment that becomes global is still reported to its old project. A move between two projects is reported
      // to neither: readers of one may not see the other.
      project:
        after.project && before.project && after.project !== before.project
          ? null
          : (after.project ?? before.project ?? null),
      data: factsOf(after),
      preData: factsOf(before),
    }),
  );
}

/** Uses of a segment outside its new project. */
async function movingFaults(
  tx: Tx,
  { id, name }: StoredSegment,
  project: string | undefined,
): Promise<Fault[]> {
  if (project === undefined) return [];
  const usages = await listUsages(tx.db, id);
  const elsewhere = usages.filter((usage) => usage.project !== project);
  if (elsewhere.length === 0) return [];
  return [
    {
      path: '/body/project',
      message: `The segment '${name}' cannot be limited to the project '${project}', because it is used by ${describeUsages(elsewhere, tx.actor)}`,
    },
  ];
}

export async function removeSegment(tx: Tx, id: string): Promise<void> {
  const segment = await getSegment(tx, id, 'DELETE_SEGMENT');
  const usages = await listUsages(tx.db, segment.id);
  if (usages.length > 0) {
    const why = usages.some(({ archived }) => archived)
      ? ' (archived features count too, because they can be revived)'
      : '';
    throw nameExists(
      `The segment '${segment.name}' is in use by ${describeUsages(usages, tx.actor)}. Remove it there first${why}`,
    );
  }
  await deleteSegments(tx, [segment.id]);
  record(tx, segmentDeleted({ project: segment.project ?? null, preData: factsOf(segment) }));
}

/** Deletes the segments of a project that is about to be deleted. Its features are deleted already. */
export async function removeSegmentsOf(tx: Tx, project: string): Promise<void> {
  const segments = await lockSegmentsOf(tx, project);
  if (segments.length === 0) return;
  await explained(
    deleteSegments(
      tx,
      segments.map(({ id }) => id),
    ),
    {
      feature_strategy_segments_segment_fkey: () =>
        invalidOperation(`Features still use segments of the project '${project}'`),
    },
  );
  await recordEach(tx, segments, (segment) =>
    segmentDeleted({ project, preData: factsOf(segment) }),
  );
}

/** Locks the existing segments among these ids against deletion and moves, until the transaction ends. */
export async function lockSegmentsForUse(tx: Tx, ids: readonly number[]): Promise<LockedSegments> {
  if (ids.length === 0) return new Map();
  const found = await lockForUse(tx, ids);
  return new Map(found.map((segment) => [segment.id, segment]));
}

type LockedSegments = ReadonlyMap<
  number,
  { readonly name: string; readonly project: string | null }
>;

/**
 * Faults of segments that a strategy in a project cannot use: unknown ones and those of other projects. The others
 * are locked against deletion and moves until the transaction ends.
 */
export const segmentFaults = async (
  tx: Tx,
  ids: readonly number[],
  project: string,
  path: string,
): Promise<Fault[]> =>
  lockedSegmentFaults(tx.actor, await lockSegmentsForUse(tx, ids), ids, project, path);

/** The same for segments that are locked already. */
export function lockedSegmentFaults(
  actor: Actor,
  held: LockedSegments,
  ids: readonly number[],
  project: string,
  path: string,
): Fault[] {
  return ids.flatMap((id, index) => {
    const segment = held.get(id);
    if (segment && (segment.project === null || segment.project === project)) return [];
    const foreign = segment?.project != null && sees(actor, segment.project);
    const message = foreign
      ? `The segment ${id} ('${segment.name}') belongs to the project '${segment.project}', not to '${project}'`
      : `Segment ${id} not found`;
    return [{ path: `${path}/${index}`, message }];
  });
}
