import { dayMs } from '../../../../platform/clock.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, type Fault } from '../../../../platform/errors.ts';
import type { RunHook } from '../../../../platform/hooks.ts';
import type { AccountWithLastSeen } from '../accounts/queries.ts';
import { listNotSeenSince, listPeopleOf } from '../user-admin/queries.ts';
import { removePerson } from '../user-admin/service.ts';

const inactiveAfterMs = 180 * dayMs;

export const listInactive = (db: Db, now: Date): Promise<AccountWithLastSeen[]> =>
  listNotSeenSince(db, new Date(now.getTime() - inactiveAfterMs));

/** Deletes all of these people, or no one if an id is unknown or the actor's own. */
export async function removePeople(
  tx: Tx,
  ids: readonly number[],
  runHook: RunHook,
): Promise<void> {
  const existing = new Set((await listPeopleOf(tx.db, ids)).map(({ id }) => id));
  const faults = ids.flatMap((id, index): Fault[] => {
    const path = `/body/ids/${index}`;
    if (id === tx.actor.id) return [{ path, message: `${path} is your own ID` }];
    return existing.has(id) ? [] : [{ path, message: `${path}: user '${id}' not found` }];
  });
  if (faults.length > 0) throw badData(faults);
  for (const id of [...existing].sort((a, b) => a - b)) await removePerson(tx, id, runHook);
}
