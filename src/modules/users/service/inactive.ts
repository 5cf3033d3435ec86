import type { Db, Tx } from '../../../platform/db/database.ts';
import { badData, type Fault } from '../../../platform/errors.ts';
import type { SeenAccount } from '../queries/accounts.ts';
import { listNotSeenSince } from '../queries/people.ts';
import { removePerson } from './people.ts';

const inactiveAfterMs = 180 * 24 * 3_600_000;

export const listInactive = (db: Db, now: Date): Promise<SeenAccount[]> =>
  listNotSeenSince(db, new Date(now.getTime() - inactiveAfterMs));

/** Deletes people who are inactive: all of these, or none where one of them is not. */
export async function removeInactive(tx: Tx, ids: readonly number[]): Promise<void> {
  const inactive = new Set((await listInactive(tx.db, tx.now)).map(({ id }) => id));
  const faults = ids.flatMap((id, index): Fault[] => {
    const path = `/body/ids/${index}`;
    if (id === tx.actor.id) return [{ path, message: `${path} is your own id` }];
    return inactive.has(id)
      ? []
      : [{ path, message: `${path}: there is no inactive user '${id}'` }];
  });
  if (faults.length > 0) throw badData(faults);
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) await removePerson(tx, id);
}
