import { isDeepStrictEqual } from 'node:util';
import { explained } from '../../../platform/db/constraint.ts';
import type { Actor, Db, Tx } from '../../../platform/db/database.ts';
import {
  badData,
  type Fault,
  invalidOperation,
  nameExists,
  notFound,
} from '../../../platform/errors.ts';
import { pathId } from '../../../platform/http/path-id.ts';
import { sees } from '../../../platform/permission.ts';
import { record, recordEach } from '../../events/index.ts';
import {
  type Constraint,
  completeConstraint,
  expressionFaults,
  legalValueFaults,
} from '../context-fields/index.ts';
import type { CreateSegment, Segment, SegmentStrategy, UsedSegment } from './contract.ts';
import { segmentCreated, segmentDeleted, segmentUpdated } from './events.ts';
import { describeUsages } from './in-use.ts';
import { demandFor, demandWhereUsed } from './permission.ts';
import {
  countSegments,
  deleteSegments,
  findSegment,
  findStrategyPlace,
  insertSegment,
  isNameTaken,
  listSegments,
  listSegmentsOfStrategy,
  listStrategiesWith,
  listUsages,
  lockForUse,
  lockLivingProject,
  lockSegment,
  lockSegmentsOf,
  type SegmentDraft,
  type StoredSegment,
  updateSegment,
} from './queries.ts';

/** SDKs are sent all that they need at once; racing creations may pass it by a few. */
export const maxSegments = 1000;

const what = 'segment';
const taken = (name: string) => nameExists(`There already is a segment named '${name}'`);

const factsOf = ({ createdByUserId, ...segment }: StoredSegment) => ({
  ...segment,
  userId: createdByUserId,
});

export const listSegmentsFor = (db: Db, actor: Actor): Promise<UsedSegment[]> =>
  listSegments(db, actor.sees);

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

export async function listSegmentsOfStrategyFor(
  db: Db,
  actor: Actor,
  strategyId: string,
): Promise<UsedSegment[]> {
  const place = await findStrategyPlace(db, strategyId);
  if (!place || !sees(actor, place.project)) throw notFound('strategy', strategyId);
  return listSegmentsOfStrategy(db, actor.sees, strategyId);
}

/** Throws what creating a segment of this name would throw. */
export async function validateName(db: Db, name: string): Promise<void> {
  if (await isNameTaken(db, name)) throw taken(name);
}

/**
 * The fault of a project that a segment cannot belong to. The project is locked before any segment
 * is: whoever sets a default strategy does it in this order.
 */
async function projectFaults(tx: Tx, project: string | null | undefined): Promise<Fault[]> {
  if (project == null) return [];
  const living = await lockLivingProject(tx, project);
  if (living && sees(tx.actor, project)) return [];
  return [{ path: '/body/project', message: `There is no project '${project}'` }];
}

const constraintsOf = (wish: CreateSegment): Constraint[] =>
  wish.constraints.map(completeConstraint);

export async function createSegment(tx: Tx, wish: CreateSegment): Promise<Segment> {
  const project = wish.project ?? undefined;
  demandFor(tx.actor, 'CREATE_SEGMENT', project);
  const constraints = constraintsOf(wish);
  const faults = [
    ...(await projectFaults(tx, project)),
    ...expressionFaults(constraints, '/body/constraints'),
    ...(await legalValueFaults(tx.db, constraints, '/body/constraints')),
  ];
  if (faults.length > 0) throw badData(faults);
  if ((await countSegments(tx.db)) >= maxSegments) {
    throw invalidOperation(`There are ${maxSegments} segments, as many as there can be`);
  }
  const draft: SegmentDraft = {
    name: wish.name,
    description: wish.description ?? null,
    ...(project !== undefined && { project }),
    constraints,
  };
  const stored = await explained(insertSegment(tx, draft), {
    segments_name_key: () => taken(wish.name),
  });
  record(tx, segmentCreated({ project: project ?? null, data: factsOf(stored) }));
  const { createdByUserId, ...segment } = stored;
  return segment;
}

/** The segment, locked; in an archived project everything stays as it is. */
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
      `The segment '${segment.name}' belongs to the archived project '${segment.project}', and stays as it is`,
    );
  }
  return segment;
}

/** What a wish makes of a segment; a description or project that it leaves out stays. */
function changed({ project, ...before }: StoredSegment, wish: CreateSegment): StoredSegment {
  const wished = wish.project === undefined ? project : (wish.project ?? undefined);
  return {
    ...before,
    name: wish.name,
    description: wish.description === undefined ? before.description : wish.description,
    ...(wished !== undefined && { project: wished }),
    constraints: constraintsOf(wish),
  };
}

export async function changeSegment(tx: Tx, id: string, wish: CreateSegment): Promise<void> {
  const unusable = await projectFaults(tx, wish.project);
  const before = await getSegment(tx, id, 'UPDATE_SEGMENT');
  const after = changed(before, wish);
  demandFor(tx.actor, 'UPDATE_SEGMENT', after.project);
  if (!isDeepStrictEqual(before.constraints, after.constraints)) await demandWhereUsed(tx, before);
  const faults = [
    ...unusable,
    // What uses it elsewhere would tell, of a project that may not be known, whether it does.
    ...(after.project === before.project || unusable.length > 0
      ? []
      : await movingFaults(tx, before, after.project)),
    ...expressionFaults(after.constraints, '/body/constraints', before.constraints),
    ...(await legalValueFaults(tx.db, after.constraints, '/body/constraints', before.constraints)),
  ];
  if (faults.length > 0) throw badData(faults);
  if (isDeepStrictEqual(before, after)) return;
  await explained(updateSegment(tx, after), { segments_name_key: () => taken(after.name) });
  record(
    tx,
    segmentUpdated({
      // Of a segment that leaves its project for all of them, that project still hears. One that goes
      // from one to another is told to neither: who sees the one may not know the other.
      project:
        after.project && before.project && after.project !== before.project
          ? null
          : (after.project ?? before.project ?? null),
      data: factsOf(after),
      preData: factsOf(before),
    }),
  );
}

/** What uses a segment outside of the project that it shall belong to. */
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
      message: `The segment '${name}' cannot belong to the project '${project}' alone: it is used elsewhere, by ${describeUsages(elsewhere, tx.actor)}`,
    },
  ];
}

export async function removeSegment(tx: Tx, id: string): Promise<void> {
  const segment = await getSegment(tx, id, 'DELETE_SEGMENT');
  const usages = await listUsages(tx.db, segment.id);
  if (usages.length > 0) {
    const why = usages.some(({ archived }) => archived)
      ? ' (what is archived counts too, since it can be revived)'
      : '';
    throw nameExists(
      `The segment '${segment.name}' is still in use, by ${describeUsages(usages, tx.actor)}; remove it there first${why}`,
    );
  }
  await deleteSegments(tx, [segment.id]);
  record(tx, segmentDeleted({ project: segment.project ?? null, preData: factsOf(segment) }));
}

/** Deletes the segments of a project that is about to be deleted; its features are gone already. */
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

/** Those of the segments that there are, by id, kept from being deleted or given away until the transaction ends. */
export async function holdSegments(tx: Tx, ids: readonly number[]): Promise<HeldSegments> {
  if (ids.length === 0) return new Map();
  const found = await lockForUse(tx, ids);
  return new Map(found.map((segment) => [segment.id, segment]));
}

type HeldSegments = ReadonlyMap<number, { readonly name: string; readonly project: string | null }>;

/**
 * The ids of segments that a strategy in a project cannot use: unknown ones, and those of other
 * projects. The others are kept from being deleted, or given away, until the transaction ends.
 */
export const segmentFaults = async (
  tx: Tx,
  ids: readonly number[],
  project: string,
  path: string,
): Promise<Fault[]> => heldSegmentFaults(tx.actor, await holdSegments(tx, ids), ids, project, path);

/** The same for who holds the segments already. */
export function heldSegmentFaults(
  actor: Actor,
  held: HeldSegments,
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
      : `There is no segment ${id}`;
    return [{ path: `${path}/${index}`, message }];
  });
}
