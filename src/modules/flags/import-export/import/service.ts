import type { Actor } from '../../../../platform/actor.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { AppError, badData, noAccessToAll, notFound } from '../../../../platform/errors.ts';
import { sees } from '../../../../platform/permission.ts';
import { findProject, lockForNewFeature, type Project } from '../../../catalogue/projects/index.ts';
import { segmentFaults } from '../../../catalogue/segments/index.ts';
import { type LockedFeature, lockFeatures } from '../../features/index.ts';
import type { ImportDocument } from '../document-schema.ts';
import { carryOut } from './carry-out.ts';
import type { Finding, ImportRequest, PlanSummary } from './contract.ts';
import type { Current } from './plan/current.ts';
import { unreadableFaults } from './plan/document-faults.ts';
import type { ImportPlan } from './plan/feature-plan.ts';
import { sentenceOf } from './plan/findings.ts';
import { hasAllPermissions, missingPermissions } from './plan/permissions.ts';
import { planImport } from './plan/plan.ts';
import { changesNothing, summaryOf } from './plan/summary.ts';
import { findMembership, listNamesIn } from './queries.ts';
import { namesIn, readCurrent } from './read-current.ts';

interface Validation {
  errors: Finding[];
  warnings: Finding[];
  permissions: Finding[];
  plan: PlanSummary;
}

interface Caller {
  readonly actor: Actor;
  readonly now: Date;
}

/** Of the document in the request. */
const path = '/body/data';

const noEnvironment = (project: string, environment: string) =>
  badData([
    {
      path: '/body/environment',
      message: `The project '${project}' has no environment '${environment}'`,
    },
  ]);

/** Called before anything is locked, because it can take seconds. */
export async function refuseUnreadable({ data }: ImportRequest): Promise<void> {
  const faults = await unreadableFaults(data, path);
  if (faults.length > 0) throw badData(faults);
}

/** Locks nothing: others may change what the plan was made from. */
async function planUnlocked(
  db: Db,
  { actor, now }: Caller,
  { project: id, environment, data }: ImportRequest,
): Promise<ImportPlan> {
  const project = sees(actor, id) ? await findProject(db, id) : undefined;
  if (!project || project.archivedAt) throw notFound('project', id);
  if (!(await findMembership(db, id, environment))) throw noEnvironment(id, environment);
  return planImport(await readCurrent(db, { actor, project, environment, now }, data), data);
}

/** `db` is a snapshot, so that all reads see one state of the database. */
export async function validateImport(
  db: Db,
  caller: Caller,
  request: ImportRequest,
): Promise<Validation> {
  const planned = await planUnlocked(db, caller, request);
  return {
    errors: [...planned.errors],
    warnings: [...planned.warnings],
    permissions: missingPermissions(caller.actor, request, planned),
    plan: summaryOf(planned),
  };
}

/** Does what the validation says, whole or not at all. */
export async function importFeatures(tx: Tx, request: ImportRequest): Promise<void> {
  const { project: id, environment, data } = request;
  const { actor } = tx;
  if (!sees(actor, id)) throw notFound('project', id);
  if (!hasAllPermissions(actor, request)) {
    // An import that is forbidden or changes nothing locks nothing, and so blocks no one.
    const planned = await planUnlocked(tx.db, tx, request);
    refuse(actor, request, planned);
    if (changesNothing(planned)) return;
  }
  const project = await lockForNewFeature(tx, id);
  if (!(await findMembership(tx.db, id, environment))) throw noEnvironment(id, environment);
  const { locked, current } = await readLocked(tx, { project, environment }, data);
  const plan = await planImport(current, data);
  refuse(actor, request, plan);
  const lost = await segmentFaults(tx, [...current.segments.values()], id, `${path}/segments`);
  if (lost.length > 0) throw badData(lost);
  await unlessTaken(carryOut(tx, { project: id, environment, locked, plan }));
}

function refuse(actor: Actor, request: ImportRequest, planned: ImportPlan): void {
  const missing = missingPermissions(actor, request, planned);
  if (missing.length > 0) {
    throw noAccessToAll(missing.map((finding) => ({ message: sentenceOf(finding) })));
  }
  if (planned.errors.length > 0) {
    throw badData(planned.errors.map((error) => ({ path, message: sentenceOf(error) })));
  }
}

/**
 * Locks the features of the document that the project has, and reads them, so that no one changes them
 * before the plan is carried out. Features of other projects are not locked, because they make the import
 * fail. If a feature came into the project between the two statements, everything is locked and read again.
 */
async function readLocked(
  tx: Tx,
  { project, environment }: { readonly project: Project; readonly environment: string },
  data: ImportDocument,
): Promise<{ locked: readonly LockedFeature[]; current: Current }> {
  const { actor, now } = tx;
  let own = await listNamesIn(tx.db, project.id, namesIn(data));
  for (;;) {
    const locked = await lockFeatures(tx, own);
    const current = await readCurrent(tx.db, { actor, project, environment, now }, data);
    const held = new Set(locked.map(({ name }) => name));
    own = [...current.features.values()]
      .filter((feature) => feature.project === project.id)
      .map(({ name }) => name);
    if (own.every((name) => held.has(name))) return { locked, current };
  }
}

/** A name that was taken after the plan was made is refused as if it had been taken before. */
async function unlessTaken(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const isTaken = error instanceof AppError && error.status === 409;
    throw isTaken ? badData([{ path, message: error.message }]) : error;
  }
}
