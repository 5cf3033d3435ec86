import type { Actor, Db, Tx } from '../../../../platform/db/database.ts';
import { AppError, badData, noAccessToAll, notFound } from '../../../../platform/errors.ts';
import { sees } from '../../../../platform/permission.ts';
import { findProject, holdProject, type Project } from '../../../catalogue/projects/index.ts';
import { segmentFaults } from '../../../catalogue/segments/index.ts';
import { type LockedFeature, lockFeatures } from '../../features/index.ts';
import type { ImportDocument } from '../contract/document.ts';
import type { Finding, ImportRequest, Outlook } from '../contract/endpoints.ts';
import type { Current } from '../plan/current.ts';
import { unreadableFaults } from '../plan/expressions.ts';
import { inWords } from '../plan/findings.ts';
import { changesNothing, outlookOf } from '../plan/outlook.ts';
import { lacks, mayAll } from '../plan/permissions.ts';
import { plan } from '../plan/plan.ts';
import type { Plan } from '../plan/planned.ts';
import { findMembership, listNamesIn } from '../queries/current.ts';
import { carryOut } from './carry-out.ts';
import { namesIn, readCurrent } from './current.ts';

interface Validation {
  errors: Finding[];
  warnings: Finding[];
  permissions: Finding[];
  plan: Outlook;
}

interface Caller {
  readonly actor: Actor;
  readonly now: Date;
}

/** Where a request holds the document. */
const path = '/body/data';

const noEnvironment = (project: string, environment: string) =>
  badData([
    {
      path: '/body/environment',
      message: `The project '${project}' has no environment '${environment}'`,
    },
  ]);

/** Before any lock: it may take its time. */
export async function refuseUnreadable({ data }: ImportRequest): Promise<void> {
  const faults = await unreadableFaults(data, path);
  if (faults.length > 0) throw badData(faults);
}

/** What an import would do of the state that is read here, which nobody is kept from changing. */
async function foresee(
  db: Db,
  { actor, now }: Caller,
  { project: id, environment, data }: ImportRequest,
): Promise<Plan> {
  const project = sees(actor, id) ? await findProject(db, id) : undefined;
  if (!project || project.archivedAt) throw notFound('project', id);
  if (!(await findMembership(db, id, environment))) throw noEnvironment(id, environment);
  return plan(await readCurrent(db, { actor, project, environment, now }, data), data);
}

/** Says what an import would do, and what speaks against it, of one state of the database. */
export async function validateImport(
  db: Db,
  caller: Caller,
  request: ImportRequest,
): Promise<Validation> {
  const planned = await foresee(db, caller, request);
  return {
    errors: [...planned.errors],
    warnings: [...planned.warnings],
    permissions: lacks(caller.actor, request, planned),
    plan: outlookOf(planned),
  };
}

/** Does what the validation says, whole or not at all; what is as the document says is left alone. */
export async function importFeatures(tx: Tx, request: ImportRequest): Promise<void> {
  const { project: id, environment, data } = request;
  const { actor } = tx;
  if (!sees(actor, id)) throw notFound('project', id);
  if (!mayAll(actor, request)) {
    // Who may not do it, or asks for nothing, makes nobody wait: it is found out before any lock.
    const foreseen = await foresee(tx.db, tx, request);
    refuse(actor, request, foreseen);
    if (changesNothing(foreseen)) return;
  }
  const project = await holdProject(tx, id);
  if (!(await findMembership(tx.db, id, environment))) throw noEnvironment(id, environment);
  const { locked, current } = await readLocked(tx, { project, environment }, data);
  const planned = await plan(current, data);
  refuse(actor, request, planned);
  const lost = await segmentFaults(tx, [...current.segments.values()], id, `${path}/segments`);
  if (lost.length > 0) throw badData(lost);
  await unlessTaken(carryOut(tx, { project: id, environment, locked, planned }));
}

function refuse(actor: Actor, request: ImportRequest, planned: Plan): void {
  const lacked = lacks(actor, request, planned);
  if (lacked.length > 0) throw noAccessToAll(lacked.map((lack) => ({ message: inWords(lack) })));
  if (planned.errors.length > 0) {
    throw badData(planned.errors.map((error) => ({ path, message: inWords(error) })));
  }
}

/**
 * Locks the features of the document that the project has, and reads them: nobody changes them
 * before the plan is carried out. Those of other projects are no affair of the import, which is
 * refused. One that came into the project between the two statements is locked, and all read again.
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

/** What somebody else took since it was looked at is refused as if it had been there. */
async function unlessTaken(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const isTaken = error instanceof AppError && error.status === 409;
    throw isTaken ? badData([{ path, message: error.message }]) : error;
  }
}
