import type { Db, Tx } from '../../../platform/db/database.ts';
import { type Fault, invalidOperation, noAccessToAll, notFound } from '../../../platform/errors.ts';
import { grouped } from '../../../platform/grouped.ts';
import { roleIds } from '../gate/index.ts';
import { permissionsOfRoles } from '../roles/index.ts';
import { listOwnerless, lockIndispensable } from '../users/index.ts';
import { lockRoles } from './existing-queries.ts';
import { type Holding, without } from './holding.ts';
import {
  deleteHoldings,
  insertHoldings,
  listHoldings,
  lockLivingProject,
  upsertChange,
} from './holding-queries.ts';

type NamedHolding = Awaited<ReturnType<typeof listHoldings>>[number];

interface Change {
  readonly before: readonly NamedHolding[];
  readonly after: readonly Holding[];
  readonly added: readonly Holding[];
  readonly removed: readonly NamedHolding[];
}

/** To be called first: two who change the access of one project do it one after the other. */
export async function closeAccess(tx: Tx, project: string): Promise<void> {
  await lockIndispensable(tx);
  if (!(await lockLivingProject(tx, project))) throw notFound('project', project);
}

const isOwned = async (db: Db, project: string): Promise<boolean> =>
  (await listOwnerless(db, [project])).length === 0;

/**
 * Nobody can give what they do not have: whoever could would give it to themselves. Nor can they take it
 * away: whoever could would be rid of everybody above them.
 */
async function refuseBeyondOwn(
  tx: Tx,
  project: string,
  {
    holdings,
    verb,
  }: { readonly holdings: readonly Holding[]; readonly verb: 'give' | 'take away' },
): Promise<void> {
  const roles = [...new Set(holdings.map(({ role }) => role))];
  const permitted = await permissionsOfRoles(tx.db, roles);
  const missing = [...permitted].flatMap(([role, permissions]) =>
    permissions
      .filter(({ name, environment }) => !tx.actor.may(name, project, environment))
      .map((permission) => ({ role, ...permission })),
  );
  if (missing.length === 0) return;
  const known = await lockRoles(tx, roles);
  const nameOf = new Map(known.map(({ id, name }) => [id, name]));
  const places = grouped(missing, ({ role, environment }) => JSON.stringify([role, environment]));
  const faults = [...places.values()].flatMap((lacked): Fault[] => {
    const [first] = lacked;
    if (!first) return [];
    const names = lacked.map(({ name }) => name).join(', ');
    const where =
      first.environment === undefined ? '' : ` in the environment '${first.environment}'`;
    const permission = lacked.length === 1 ? 'permission' : 'permissions';
    return [
      {
        message: `To ${verb} the role '${nameOf.get(first.role)}' you need the ${names} ${permission}${where} yourself`,
      },
    ];
  });
  throw noAccessToAll(faults);
}

/**
 * Makes of what a project's users and groups hold what is wished for. The caller has closed the access
 * of the project and made sure that everybody named exists; it tells the log what happened.
 */
export async function changeAccess(
  tx: Tx,
  project: string,
  wish: (before: readonly Holding[]) => readonly Holding[],
): Promise<Change> {
  const before = await listHoldings(tx.db, project);
  const after = without(wish(before), []);
  const added = without(after, before);
  const removed = without(before, after);
  const change = { before, after, added, removed };
  if (added.length === 0 && removed.length === 0) return change;
  await refuseBeyondOwn(tx, project, { holdings: added, verb: 'give' });
  await refuseBeyondOwn(tx, project, { holdings: removed, verb: 'take away' });
  const mustStayOwned =
    removed.some(({ role }) => role === roleIds.owner) && (await isOwned(tx.db, project));
  await insertHoldings(tx, project, added);
  await deleteHoldings(tx, project, removed);
  if (mustStayOwned && !(await isOwned(tx.db, project))) {
    throw invalidOperation(
      `The project '${project}' would have no owner any more; make somebody else an owner first`,
    );
  }
  await upsertChange(tx, project);
  return change;
}
